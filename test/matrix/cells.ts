// One cell of the matrix: a call by a principal about a thing, run for real and compared with the table.
import type { InjectOptions } from 'fastify';
import { refusals } from '#core/base/refusals.ts';
import { schema } from '#server/schema.ts';
import { type WholeQuery, wholeQuery } from '../whole-query.ts';
import type { Held } from './principals.ts';
import { type Answer, type Ask, type Sample, samples, uploadForm } from './samples.ts';
import { expectedOf, type Relation, refusalOfCall, type Surface, surfaces, usesApplication } from './spec-table.ts';
import { missingThing, secrets, type Thing, type World } from './world.ts';

const roots = { Query: ['query', schema.getQueryType()], Mutation: ['mutation', schema.getMutationType()] } as const;
const wholeQueries = new Map<string, WholeQuery>(
  Object.entries(roots).flatMap(([type, [operation, root]]) =>
    Object.values(root?.getFields() ?? {}).map(
      (field) => [`${type}.${field.name}`, wholeQuery(operation, field)] as const,
    ),
  ),
);
export const wholeQueryOf = (call: string): WholeQuery => wholeQueries.get(call)!;

/** What came back, as far as the table speaks of it. `text` is the whole answer. */
export type Outcome = {
  readonly status: number;
  readonly code: string | null;
  readonly data: Answer;
  readonly text: string;
};

const outcomeOf = (status: number, text: string): Outcome => {
  let body: Answer = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A file, a calendar or a page.
  }
  const refused = body?.errors?.[0]?.extensions?.code ?? body?.error?.code ?? null;
  const data = body && 'data' in body ? Object.values(body.data ?? {})[0] : body;
  // A list of results says of each by itself how it went.
  return { status, code: refused ?? (Array.isArray(data) ? (data[0]?.code ?? null) : null), data, text };
};

export async function call(world: World, options: InjectOptions): Promise<Outcome> {
  const { statusCode, body } = await world.app.call(options);
  return outcomeOf(statusCode, body);
}

const bearer = (header: string) => (header === '' ? {} : { authorization: header });

export async function askGraphql(world: World, header: string, query: string, variables: object): Promise<Outcome> {
  return call(world, { method: 'POST', url: '/graphql', headers: bearer(header), payload: { query, variables } });
}

/** Makes the call of a surface as the sender of the header. */
export async function make(
  world: World,
  { name, call: field }: Surface,
  thing: Thing,
  header: string,
): Promise<Outcome> {
  const sample = samples.get(name) as Sample;
  if (sample.variables) {
    const ask: Ask = async (asked, variables) =>
      (await askGraphql(world, header, wholeQueryOf(asked).text, variables)).data;
    return askGraphql(world, header, wholeQueryOf(field).text, await sample.variables(world, thing, ask));
  }
  const { query, ...options } = sample.request!(world, thing);
  const form = sample.credentials === 'form' ? uploadForm((query as { task: string }).task, header) : {};
  return call(world, {
    ...options,
    ...(sample.credentials ? {} : { headers: { ...options.headers, ...bearer(header) } }),
    ...form,
  });
}

export type Cell = { readonly surface: Surface; readonly relation: Relation | null };

/** Each surface, with each relation in which there is a thing of it. */
export const cells: readonly Cell[] = surfaces
  .filter(({ kind }) => kind === 'rest' || kind === 'query' || kind === 'mutation')
  .flatMap((surface): Cell[] =>
    surface.of.size === 0
      ? [{ surface, relation: null }]
      : [...surface.of.keys()].map((relation) => ({ surface, relation })),
  );

export function expectedAt({ surface, relation }: Cell, held: Held | null): string {
  const refusal = refusalOfCall(surface.opens, held);
  if (refusal !== null || held === null || relation === null) return refusal ?? 'ok';
  const rule = surface.of.get(relation) ?? '';
  if (rule === 'anyone') return 'ok';
  return usesApplication(held) ? expectedOf(rule, held) : 'missing';
}

/** Ids that were asked for come back in the answer of a list of results. */
const withoutAskedId = (text: string): string => text.replace(/"taskId":"\d+"/, '"taskId":"…"');

const isSuccess = ({ status, code }: Outcome, sample: Sample): boolean =>
  sample.status === undefined ? code === null && (status === 200 || status === 201) : status === sample.status;

export type Verdict = {
  /** Null where the cell is as the table has it. */
  readonly fault: string | null;
  readonly succeeded: boolean;
};

export class Matrix {
  readonly #world: World;
  /** The answer about a missing thing, by surface. It is the same for everyone who can make the call. */
  readonly #missing = new Map<string, string>();
  cellsRun = 0;
  mismatches = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async run(cell: Cell, held: Held | null, header: string, nobody?: string): Promise<Verdict> {
    this.cellsRun += 1;
    const { surface, relation } = cell;
    const { taking } = this.#world;
    const expected = nobody ?? expectedAt(cell, held);
    const thing = this.#thingOf(cell);
    const go = () => make(this.#world, surface, thing, header);
    const { answer, wrote } = await taking.takeBack(go);
    const sample = samples.get(surface.name) as Sample;
    const succeeded = isSuccess(answer, sample) && (sample.holds?.(answer.data, thing, this.#world) ?? true);
    const changed =
      expected !== 'ok' && wrote ? (await taking.changedBy(go)).filter((name) => name !== sample.spends) : [];
    const fault =
      (await this.#faultOf(cell, expected, answer, succeeded, header)) ??
      leakOf(answer) ??
      (changed.length > 0 ? `refused, and changed ${changed}` : null);
    if (fault !== null) this.mismatches += 1;
    return { fault: fault && `${surface.name}${relation ? ` (${relation})` : ''}: ${fault}`, succeeded };
  }

  #thingOf({ relation, surface }: Cell): Thing {
    const { things } = this.#world;
    if (relation === null) return things.own;
    // Nobody owns a card: the relation names it.
    if (surface.name !== 'Query.toolCards[permission]') return things[relation];
    return {
      ...things[relation],
      note: relation === 'other' ? 'For some' : relation === 'stranger' ? 'For admins' : 'Removed',
    };
  }

  async #faultOf(
    cell: Cell,
    expected: string,
    answer: Outcome,
    succeeded: boolean,
    header: string,
  ): Promise<string | null> {
    const was = `expected ${expected}, was ${answer.code ?? (succeeded ? 'ok' : answer.status)} ${answer.text.slice(0, 200)}`;
    if (expected === 'ok') {
      if (!succeeded) return was;
      return cell.relation !== null && (await this.#looksMissing(cell, answer, header))
        ? `${was} as if it were missing`
        : null;
    }
    if (expected === 'missing') return (await this.#looksMissing(cell, answer, header)) ? null : was;
    return answer.code === expected && answer.status === statusOf(cell.surface, expected) ? null : was;
  }

  /** Whether the answer is, byte by byte, the one about a missing thing. */
  async #looksMissing({ surface, relation }: Cell, answer: Outcome, header: string): Promise<boolean> {
    const sample = samples.get(surface.name) as Sample;
    if (sample.holds)
      return isSuccess(answer, sample) && !sample.holds(answer.data, this.#thingOf({ surface, relation }), this.#world);
    const { taking } = this.#world;
    const known = this.#missing.get(surface.name);
    const text =
      known ?? (await taking.takeBack(() => make(this.#world, surface, missingThing(this.#world), header))).answer.text;
    this.#missing.set(surface.name, text);
    return withoutAskedId(answer.text) === withoutAskedId(text);
  }
}

function leakOf({ text }: Outcome): string | null {
  const leaked = Object.values(secrets).find((secret) => text.includes(secret));
  return leaked === undefined ? null : `tells ${leaked}`;
}

/** GraphQL answers 200 with the error, except to unknown callers. */
function statusOf({ kind }: Surface, code: string): number {
  if (kind !== 'rest' && code !== 'NOT_SIGNED_IN' && code !== 'ACCOUNT_DISABLED') return 200;
  return refusals[code as keyof typeof refusals].statusCode;
}
