// Caches expensive responses until the database changes. PostgreSQL's snapshot name identifies what a reader
// sees: while it is the same, no data has changed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Services } from '../context.ts';
import { snapshotAtLookUp } from '../viewer.ts';

/**
 * Declares that a Query field's answer depends only on the database and on what is listed here, not on
 * settings. Working hours to the minute depend on the holidays: a change shows within a minute.
 */
export type CacheRule = {
  /** Whether that is true for these arguments and fields. */
  readonly when: (argumentNames: ReadonlySet<string>, parts: ReadonlySet<string>) => boolean;
  /** Who shares a response: only the same person, or everyone with the same role and permissions. */
  readonly sharedWith: 'person' | 'permissions';
  /** How the answer depends on the time: not at all, or to the minute. */
  readonly clock: 'none' | 'minute';
};

export type CachePolicy = Pick<CacheRule, 'sharedWith' | 'clock'>;

const mostQueries = 32;
const largestAnswer = 2 * 1024 * 1024;
const mostCharacters = 8 * 1024 * 1024;
const minuteMs = 60_000;

type Asked = { readonly query?: unknown; readonly variables?: Record<string, unknown> | null };
type Answer = { readonly snapshot: string; readonly body: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the response is to be cached. */
    cacheAs: { readonly key: string; readonly snapshot: string } | null;
  }
}

const nameOf = ({ name }: { readonly name: { readonly value: string } }): string => name.value;
const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] | null =>
  selections.every((node) => node.kind === 'Field') ? (selections as FieldNode[]) : null;

/**
 * The cache policy of a document if every field declares one. Documents with fragments or directives aren't
 * cached.
 */
export function cachePolicyOf(schema: GraphQLSchema, { definitions }: DocumentNode): CachePolicy | null {
  const [operation] = definitions;
  if (definitions.length !== 1 || operation?.kind !== 'OperationDefinition' || operation.operation !== 'query')
    return null;
  const fields = fieldsOf(operation.selectionSet) ?? [];
  const rules = fields.map((field) => cacheRuleOf(schema, field));
  if (rules.length === 0 || rules.includes(null)) return null;
  return {
    sharedWith: rules.every((cacheRule) => cacheRule?.sharedWith === 'permissions') ? 'permissions' : 'person',
    clock: rules.every((cacheRule) => cacheRule?.clock === 'none') ? 'none' : 'minute',
  };
}

function cacheRuleOf(schema: GraphQLSchema, field: FieldNode): CacheRule | null {
  const { cacheRule } = (schema.getQueryType()?.getFields()[nameOf(field)]?.extensions ?? {}) as {
    cacheRule?: CacheRule;
  };
  const parts = field.selectionSet && fieldsOf(field.selectionSet);
  if (!cacheRule || !parts || field.directives?.length) return null;
  const given = field.arguments?.filter(({ value }) => value.kind !== 'NullValue') ?? [];
  return cacheRule.when(new Set(given.map(nameOf)), new Set(parts.map(nameOf))) ? cacheRule : null;
}

/**
 * The cache key apart from the database state: the question, the viewer's rights, and the time. Null if the
 * variables are too deep to be written.
 */
function keyOf(
  { body, viewer }: FastifyRequest,
  { sharedWith, clock }: CachePolicy,
  now: Temporal.Instant,
): string | null {
  const { query, variables } = body as Asked;
  const asker = sharedWith === 'person' ? viewer : [viewer?.role, viewer?.permissions];
  const minute = clock === 'none' ? null : Math.floor(now.epochMilliseconds / minuteMs);
  try {
    return JSON.stringify([asker, minute, query, variables]);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Needs = Pick<Services, 'reader' | 'live' | 'clock'>;

/** Adds the cache to the routes in `scope`; returns the function to call for each executed document. */
export function cacheResponses(scope: FastifyInstance, { reader, live, clock }: Needs) {
  // Counts the queries too: a short response may have a long query.
  const answers = new LRUCache<string, Answer>({
    maxSize: mostCharacters,
    maxEntrySize: largestAnswer,
    sizeCalculation: ({ body }, key) => key.length + body.length,
  });
  // Keeps the newest: a caller who sends ever new texts pushes out the pages' queries only briefly.
  const queries = new LRUCache<string, CachePolicy>({ max: mostQueries });
  // After a failover, another database counts its transactions from another number.
  const stop = live.onGap(() => answers.clear());
  scope.addHook('onClose', async () => stop());
  scope.decorateRequest('cacheAs', null);
  scope.addHook('preHandler', async (request, reply) => {
    const { query, variables } = (request.body ?? {}) as Asked;
    const policy = typeof query === 'string' ? queries.get(query) : undefined;
    if (!policy || request.viewing !== null) return;
    // A variable without a value can make the answer depend on the clock.
    if (policy.clock === 'none' && Object.values(variables ?? {}).some((value) => value == null)) return;
    const key = keyOf(request, policy, clock.now());
    if (key === null) return;
    // Read before the response is computed: a change in between gives the next call another snapshot.
    const snapshot = request.viewer && snapshotAtLookUp(request.viewer);
    if (!snapshot) return;
    const answer = answers.get(key);
    if (answer?.snapshot === snapshot) return reply.type('application/json; charset=utf-8').send(answer.body);
    request.cacheAs = { key, snapshot };
  });
  scope.addHook('onSend', async ({ cacheAs }: FastifyRequest, reply: FastifyReply, payload) => {
    if (cacheAs === null || reply.statusCode !== 200 || typeof payload !== 'string') return;
    if (!payload.startsWith('{"data":{') || payload.includes('"errors":[')) return;
    answers.set(cacheAs.key, { snapshot: cacheAs.snapshot, body: payload });
  });
  const read = new WeakMap<DocumentNode, CachePolicy | null>();
  return (schema: GraphQLSchema, document: DocumentNode, request: FastifyRequest | undefined): void => {
    const query = (request?.body as Asked | undefined)?.query;
    // A replica is slightly behind the snapshot.
    if (typeof query !== 'string' || !reader.isDatabase) return;
    const policy = read.get(document) ?? (read.has(document) ? null : cachePolicyOf(schema, document));
    read.set(document, policy);
    if (policy) queries.set(query, policy);
  };
}
