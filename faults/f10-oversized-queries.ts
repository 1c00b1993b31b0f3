// Queries that ask for too much: aliases, depth, fragments that nest and lead in circles, directives, tokens.
// None of them reaches a resolver, for any sender.
import { type Random, seededRandom } from '#server/demo/random.ts';
import { queryLimits } from '#server/platform/graphql/limits.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { makeStaff, Product } from './product.ts';
import { spread } from './round.ts';

const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Queries of this shape, so much above the limit. Each would do something if it were carried out. */
const shapes: Readonly<Record<string, (above: number, userId: string) => string>> = {
  aliases: (above, id) =>
    `mutation { ${repeat(queryLimits.aliases + above, (index) => `a${index}: createTask(title: "x", userId: "${id}") { id }`)} }`,
  'aliases in fragments': (above) =>
    `{ ...A ...B } fragment A on Query { ${repeat(queryLimits.aliases, (index) => `a${index}: getTasks { id }`)} } fragment B on Query { ${repeat(above, (index) => `b${index}: getTasks { id }`)} }`,
  'aliases inside': (above) => `{ getTasks { ${repeat(queryLimits.aliases + above, (index) => `a${index}: id`)} } }`,
  depth: (above) =>
    `{ ${'getTasks { '.repeat(queryLimits.depth + above)} id ${'}'.repeat(queryLimits.depth + above)} }`,
  'depth by fragments': (above) => {
    const levels = queryLimits.depth + above;
    return `{ ...F0 } ${repeat(levels, (index) => `fragment F${index} on Query { getTasks { ...F${index + 1} } }`)} fragment F${levels} on Query { __typename }`;
  },
  'inline fragments': (above) =>
    `{ ${'... on Query { '.repeat(100 + (above % 100))} ${'getTasks { '.repeat(queryLimits.depth + 1)} id ${'}'.repeat(queryLimits.depth + 1)} ${'}'.repeat(100 + (above % 100))} }`,
  directives: (above) => `{ getTasks ${'@include(if: true) '.repeat(queryLimits.directives + above)} { id } }`,
  'directives that nobody knows': (above) => `{ getTasks ${'@a '.repeat(queryLimits.directives + above)} { id } }`,
  'fragments that double': (above) => {
    const layers = 12 + (above % 20);
    return `{ ...F0 } ${repeat(layers, (index) => `fragment F${index} on Query { ...F${index + 1} getTasks { id } ...F${index + 1} }`)} fragment F${layers} on Query { getTasks { id } }`;
  },
  'fragments in a circle': (above) =>
    `{ ...F0 getTasks { id } } ${repeat(2 + (above % 50), (index) => `fragment F${index} on Query { ...F${(index + 1) % (2 + (above % 50))} }`)}`,
  fields: (above) => `{ getTasks { ${'id '.repeat(queryLimits.fields + above)} } }`,
  tokens: (above) => `{ getTasks { id } ${'# \n'.repeat(above)} ${'getTasks { id } '.repeat(queryLimits.tokens / 2)} }`,
  'a fragment that nobody uses': (above) =>
    `{ getTasks { id } } fragment F on Query { ${'getTasks { id } '.repeat(queryLimits.fields / 2 + above)} }`,
  operations: (above) => repeat(2 + (above % 50), (index) => `query Q${index} { getTasks { id } }`),
};
const names = Object.keys(shapes);

type Tried = { readonly milliseconds: number; readonly fault: string | null };

/** Refused before anything was carried out: 400 without data and without a path, or 401 for nobody. */
async function tryOut(url: string, token: string | null, query: string, shape: string): Promise<Tried> {
  const started = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: { path?: unknown }[] };
  const milliseconds = performance.now() - started;
  const isRefused =
    response.status === (token === null ? 401 : 400) &&
    data === null &&
    errors?.every(({ path }) => path === undefined);
  return { milliseconds, fault: isRefused ? null : `${shape} was answered ${response.status}: ${query.slice(0, 200)}` };
}

async function ask({ count, seed, say }: Asked, product: Product): Promise<Outcome> {
  const random: Random = seededRandom(seed);
  const staff = await makeStaff(product.databaseUrl, 1);
  const owner = staff.owners[0] as { id: string; token: string };
  const [times, failures]: [number[], string[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const shape = names[index % names.length] as string;
    // Mostly just above the limit, and now and then far.
    const above = random.between(1, index % 5 === 0 ? 3_000 : 5);
    const query = shapes[shape]?.(above, owner.id) ?? '';
    const { milliseconds, fault } = await tryOut(product.url, index % 10 === 9 ? null : owner.token, query, shape);
    times.push(milliseconds);
    if (fault !== null) failures.push(fault);
    if (index % 1_000 === 999) say(`${index + 1} of ${count}, ${failures.length} faults`);
  }
  const tasks = await product.query<{ count: string }>('select count(*) from tasks');
  if (tasks[0]?.count !== '0') failures.push(`${tasks[0]?.count} tasks were made by queries that were refused`);
  return {
    figures: { 'reached a resolver': failures.length, ...spread('milliseconds to the refusal', times) },
    failures: failures.slice(0, 20),
  };
}

export const oversizedQueries: Fault = {
  id: 'F10',
  title: 'Queries that ask for too much: aliases, depth, fragments, directives',
  unit: 'queries',
  trials: true,
  counts: { short: 200, full: 10_000 },
  async run(asked) {
    const product = new Product();
    try {
      await product.start();
      return await ask(asked, product);
    } finally {
      await product.end();
    }
  },
};
