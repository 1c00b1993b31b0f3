// Answers that cost much and are asked again and again are kept as they were sent, and given again while the database is as it
// was: PostgreSQL names the transactions that a reader sees, and while that name is the same nothing whatever has changed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import type { Services } from '../context.ts';
import type { Database } from '../db/database.ts';

/** Whether a field of Query with these arguments and parts tells nothing but what the database says: no clock, no setting. */
export type Keeps = (argumentNames: ReadonlySet<string>, parts: ReadonlySet<string>) => boolean;

const mostAnswers = 32;
const largestAnswer = 2 * 1024 * 1024;

type Asked = { readonly query?: unknown; readonly variables?: Record<string, unknown> | null };
type Kept = { readonly snapshot: string; readonly body: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the answer is to be kept. */
    keepAs: { readonly key: string; readonly snapshot: string } | null;
  }
}

const nameOf = ({ name }: { readonly name: { readonly value: string } }): string => name.value;
const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] | null =>
  selections.every((node) => node.kind === 'Field') ? (selections as FieldNode[]) : null;

/** Whether every field that the document asks for says so. Fragments and directives are nothing that this looks through. */
export function isKept(schema: GraphQLSchema, { definitions }: DocumentNode): boolean {
  const [operation] = definitions;
  if (definitions.length !== 1 || operation?.kind !== 'OperationDefinition' || operation.operation !== 'query')
    return false;
  const fields = fieldsOf(operation.selectionSet) ?? [];
  return (
    fields.length > 0 &&
    fields.every((field) => {
      const { keeps } = (schema.getQueryType()?.getFields()[nameOf(field)]?.extensions ?? {}) as { keeps?: Keeps };
      const parts = field.selectionSet && fieldsOf(field.selectionSet);
      if (!keeps || !parts || field.directives?.length) return false;
      const given = field.arguments?.filter(({ value }) => value.kind !== 'NullValue') ?? [];
      return keeps(new Set(given.map(nameOf)), new Set(parts.map(nameOf)));
    })
  );
}

async function snapshotOf({ pool }: Database): Promise<string> {
  const text = 'select pg_current_snapshot()::text as snapshot';
  const { rows } = await pool.query<{ snapshot: string }>({ name: 'snapshot', text });
  return rows[0]!.snapshot;
}

/** What the answer depends on besides the database: the question, and who asks with which rights. */
function keyOf({ body, viewer }: FastifyRequest): string {
  const { query, variables } = body as Asked;
  return JSON.stringify([viewer, query, variables]);
}

/** Keeps answers for the route of `scope`; gives what is to be told of each document that is executed. */
export function keepAnswers(scope: FastifyInstance, { database, live }: Pick<Services, 'database' | 'live'>) {
  const answers = new Map<string, Kept>();
  const keptQueries = new Set<string>();
  // Another database may have taken over, which counts its transactions anew.
  const stop = live.onGap(() => answers.clear());
  scope.addHook('onClose', async () => stop());
  scope.decorateRequest('keepAs', null);
  scope.addHook('preHandler', async (request, reply) => {
    const { query, variables } = (request.body ?? {}) as Asked;
    const isCandidate = typeof query === 'string' && keptQueries.has(query) && request.viewing === null;
    // A variable without a value may leave the choice to the clock.
    if (!isCandidate || Object.values(variables ?? {}).some((value) => value == null)) return;
    const key = keyOf(request);
    // Read before the answer is made: what changes meanwhile gives the next one another snapshot.
    const snapshot = await snapshotOf(database);
    const kept = answers.get(key);
    if (kept?.snapshot === snapshot) return reply.type('application/json; charset=utf-8').send(kept.body);
    request.keepAs = { key, snapshot };
  });
  scope.addHook('onSend', async ({ keepAs }: FastifyRequest, reply: FastifyReply, payload) => {
    if (keepAs === null || reply.statusCode !== 200 || typeof payload !== 'string') return;
    if (payload.length > largestAnswer || !payload.startsWith('{"data":{') || payload.includes('"errors":[')) return;
    answers.delete(keepAs.key);
    answers.set(keepAs.key, { snapshot: keepAs.snapshot, body: payload });
    for (const oldest of answers.keys()) {
      if (answers.size <= mostAnswers) break;
      answers.delete(oldest);
    }
  });
  const seen = new WeakSet<DocumentNode>();
  return (schema: GraphQLSchema, document: DocumentNode, request: FastifyRequest | undefined): void => {
    if (seen.has(document)) return;
    seen.add(document);
    const query = (request?.body as Asked | undefined)?.query;
    if (typeof query === 'string' && keptQueries.size < mostAnswers && isKept(schema, document)) keptQueries.add(query);
  };
}
