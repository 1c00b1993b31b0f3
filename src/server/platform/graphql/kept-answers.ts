// Answers that cost much and are asked again and again are kept as they were sent, and given again while the database is as it
// was: PostgreSQL names the transactions that a reader sees, and while that name is the same nothing whatever has changed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Services } from '../context.ts';
import { snapshotAtLookUp } from '../viewer.ts';

/** What a field of Query says of itself, where its answers depend on the database and on what is said here, and on no setting. */
export type Keeping = {
  /** Whether with these arguments and parts they do. */
  readonly when: (argumentNames: ReadonlySet<string>, parts: ReadonlySet<string>) => boolean;
  /** Who is told the same: the person again, or everybody with the same role and permissions. */
  readonly forWhom: 'person' | 'permissions';
  /** Whether the clock has no say at all, or none within a minute. */
  readonly clock: 'none' | 'minute';
};

export type Kept = Pick<Keeping, 'forWhom' | 'clock'>;

const mostQueries = 32;
const largestAnswer = 2 * 1024 * 1024;
const mostCharacters = 8 * 1024 * 1024;
const minuteMs = 60_000;

type Asked = { readonly query?: unknown; readonly variables?: Record<string, unknown> | null };
type Answer = { readonly snapshot: string; readonly body: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the answer is to be kept. */
    keepAs: { readonly key: string; readonly snapshot: string } | null;
  }
}

const nameOf = ({ name }: { readonly name: { readonly value: string } }): string => name.value;
const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] | null =>
  selections.every((node) => node.kind === 'Field') ? (selections as FieldNode[]) : null;

/** How the answers of the document are kept, where every field that it asks for says so. Fragments and directives are nothing that this looks through. */
export function keptAs(schema: GraphQLSchema, { definitions }: DocumentNode): Kept | null {
  const [operation] = definitions;
  if (definitions.length !== 1 || operation?.kind !== 'OperationDefinition' || operation.operation !== 'query')
    return null;
  const fields = fieldsOf(operation.selectionSet) ?? [];
  const keepings = fields.map((field) => keepingOf(schema, field));
  if (keepings.length === 0 || keepings.includes(null)) return null;
  return {
    forWhom: keepings.every((keeping) => keeping?.forWhom === 'permissions') ? 'permissions' : 'person',
    clock: keepings.every((keeping) => keeping?.clock === 'none') ? 'none' : 'minute',
  };
}

function keepingOf(schema: GraphQLSchema, field: FieldNode): Keeping | null {
  const { keeping } = (schema.getQueryType()?.getFields()[nameOf(field)]?.extensions ?? {}) as { keeping?: Keeping };
  const parts = field.selectionSet && fieldsOf(field.selectionSet);
  if (!keeping || !parts || field.directives?.length) return null;
  const given = field.arguments?.filter(({ value }) => value.kind !== 'NullValue') ?? [];
  return keeping.when(new Set(given.map(nameOf)), new Set(parts.map(nameOf))) ? keeping : null;
}

/** What the answer depends on besides the database: the question, who asks with which rights, and when. */
function keyOf({ body, viewer }: FastifyRequest, { forWhom, clock }: Kept, now: Temporal.Instant): string {
  const { query, variables } = body as Asked;
  const asker = forWhom === 'person' ? viewer : [viewer?.role, viewer?.permissions];
  const minute = clock === 'none' ? null : Math.floor(now.epochMilliseconds / minuteMs);
  return JSON.stringify([asker, minute, query, variables]);
}

type Needs = Pick<Services, 'reader' | 'live' | 'clock'>;

/** Keeps answers for the route of `scope`; gives what is to be told of each document that is executed. */
export function keepAnswers(scope: FastifyInstance, { reader, live, clock }: Needs) {
  // The questions count as well: a short answer may belong to a long one.
  const answers = new LRUCache<string, Answer>({
    maxSize: mostCharacters,
    maxEntrySize: largestAnswer,
    sizeCalculation: ({ body }, key) => key.length + body.length,
  });
  // The newest stay: whoever sends ever new texts keeps the pages' own ones out for a moment only.
  const queries = new LRUCache<string, Kept>({ max: mostQueries });
  // Another database may have taken over, which counts its transactions anew.
  const stop = live.onGap(() => answers.clear());
  scope.addHook('onClose', async () => stop());
  scope.decorateRequest('keepAs', null);
  scope.addHook('preHandler', async (request, reply) => {
    const { query, variables } = (request.body ?? {}) as Asked;
    const kept = typeof query === 'string' ? queries.get(query) : undefined;
    if (!kept || request.viewing !== null) return;
    // A variable without a value may leave the choice to the clock.
    if (kept.clock === 'none' && Object.values(variables ?? {}).some((value) => value == null)) return;
    const key = keyOf(request, kept, clock.now());
    // Read before the answer is made: what changes meanwhile gives the next one another snapshot.
    const snapshot = request.viewer && snapshotAtLookUp(request.viewer);
    if (!snapshot) return;
    const answer = answers.get(key);
    if (answer?.snapshot === snapshot) return reply.type('application/json; charset=utf-8').send(answer.body);
    request.keepAs = { key, snapshot };
  });
  scope.addHook('onSend', async ({ keepAs }: FastifyRequest, reply: FastifyReply, payload) => {
    if (keepAs === null || reply.statusCode !== 200 || typeof payload !== 'string') return;
    if (!payload.startsWith('{"data":{') || payload.includes('"errors":[')) return;
    answers.set(keepAs.key, { snapshot: keepAs.snapshot, body: payload });
  });
  const read = new WeakMap<DocumentNode, Kept | null>();
  return (schema: GraphQLSchema, document: DocumentNode, request: FastifyRequest | undefined): void => {
    const query = (request?.body as Asked | undefined)?.query;
    // What a replica says is a moment behind the snapshot.
    if (typeof query !== 'string' || !reader.isDatabase) return;
    const kept = read.get(document) ?? (read.has(document) ? null : keptAs(schema, document));
    read.set(document, kept);
    if (kept) queries.set(query, kept);
  };
}
