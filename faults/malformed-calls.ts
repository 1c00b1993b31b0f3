// Calls that are nearly right, and calls that are not right at all, drawn from the API's own schema:
// arguments of every type and of none, documents with a word too many, bodies with a key twice, forms that
// break off.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Random } from '#server/demo/random.ts';
import { schema } from '#server/schema.ts';
import { addresses, addressNoise, noise, wrongValues } from './malformed-values.ts';

export type MalformedCall = {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string | Buffer;
};

const longText = (random: Random): string => {
  const part = random.pick(['a', 'é', '😀', '\\u0001', '\\ud83d', '<b>', '[[', '**', '@', '\\n', '(a+)+$']);
  return `"${part.repeat(random.whole(1, 20_000 / part.length))}"`;
};

const wrongValue = (random: Random): string => (random.chance(0.05) ? longText(random) : random.pick(wrongValues));

/** A value as JSON: right for the type, or not. */
function valueFor(type: GraphQLInputType, random: Random, depth = 0): string {
  if (random.chance(0.15)) return wrongValue(random);
  if (isNonNullType(type)) return valueFor(type.ofType, random, depth);
  if (random.chance(0.1)) return 'null';
  if (isListType(type)) {
    const items = random.chance(0.02) ? 300 : random.whole(0, 3);
    return `[${Array.from({ length: items }, () => valueFor(type.ofType, random, depth + 1)).join(',')}]`;
  }
  if (isEnumType(type)) return JSON.stringify(random.pick(type.getValues()).name);
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      ({ type: inner }) => isNonNullType(inner) || random.chance(0.5),
    );
    const pairs = fields.map(
      ({ name, type: inner }) => `${JSON.stringify(name)}:${valueFor(inner, random, depth + 1)}`,
    );
    if (random.chance(0.05)) pairs.push('"hiddenFrom":1');
    return `{${pairs.join(',')}}`;
  }
  const { name } = getNamedType(type);
  if (name === 'Int' || name === 'Float') return String(random.pick([0, 1, 2, 7, 60, -3, 2_147_483_647]));
  if (name === 'Boolean') return random.pick(['true', 'false']);
  if (name === 'ID') return JSON.stringify(String(random.pick([1, 2, 3, 4, 999, 0])));
  return JSON.stringify(
    random.pick([
      'Text',
      'orders',
      'connect',
      '2026-11-18',
      '2026-11-18T12:00:00Z',
      '10:00',
      'green',
      'USD',
      'a@b.test',
    ]),
  );
}

function selectionOf(type: GraphQLOutputType, random: Random, depth = 0): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(
    ({ args }) => !args.some(({ type: one }) => isNonNullType(one)),
  );
  const shown = fields.filter(
    (field) => (isObjectType(getNamedType(field.type)) ? depth < 3 : true) && random.chance(0.4),
  );
  const names = shown.map((field) => `${field.name} ${selectionOf(field.type, random, depth + 1)}`);
  return `{ __typename ${names.join(' ')} }`;
}

type Root = 'query' | 'mutation';
type Call = readonly [root: Root, field: GraphQLField<unknown, unknown>];

const roots: readonly Root[] = ['query', 'mutation'];
const calls: readonly Call[] = roots.flatMap((root) => {
  const type = root === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).map((field): Call => [root, field]);
});

/** The document and its variables as JSON. */
function documentOf(random: Random): { query: string; variables: string } {
  const [root, { name, args, type }] = random.pick(calls);
  const given = args.filter(({ type: one }: GraphQLArgument) => isNonNullType(one) || random.chance(0.6));
  const declared = given.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const query = `${root} ${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${selectionOf(type, random)} }`;
  const variables = given.map((arg) => `${JSON.stringify(arg.name)}:${valueFor(arg.type, random)}`);
  return { query, variables: `{${variables.join(',')}}` };
}

/** A word taken out, put in twice, swapped, or replaced by noise. */
export function mutated(text: string, random: Random): string {
  const words = text.split(/(?<=\W)|(?=\W)/);
  for (let times = random.whole(1, 3); times > 0; times--) {
    const at = random.whole(0, words.length - 1);
    const kind = random.whole(0, 3);
    if (kind === 0) words.splice(at, 1);
    else if (kind === 1) words.splice(at, 0, words[random.whole(0, words.length - 1)] ?? '');
    else if (kind === 2) words.splice(at, 1, random.pick(noise));
    else words.splice(at, 0, random.pick(noise));
  }
  return words.join('');
}

/** Bytes exchanged for others, also for such as are no UTF-8. */
function withBadBytes(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  for (let times = random.whole(1, 4); times > 0; times--)
    bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255);
  return bytes;
}

const json = 'application/json';

function graphqlCall(random: Random): MalformedCall {
  const { query, variables } = documentOf(random);
  const body = `{"query":${JSON.stringify(random.chance(0.25) ? mutated(query, random) : query)},"variables":${variables}}`;
  const call = { method: 'POST', path: '/graphql', type: json };
  if (random.chance(0.1)) return { ...call, body: mutated(body, random) };
  if (random.chance(0.05)) return { ...call, body: withBadBytes(body, random) };
  return { ...call, body };
}

const restBodies: Readonly<Record<string, readonly string[]>> = {
  '/api/auth/login': ['email', 'password'],
  '/api/auth/link': ['token'],
  '/api/auth/password': ['token', 'password'],
  '/api/people/import': ['file', 'dryRun'],
  '/api/import/orders/preview': ['mapping', 'file', 'sample'],
  '/api/auth/sso/start': ['goto'],
  '/api/auth/sso/session': ['device'],
};

function restCall(random: Random): MalformedCall {
  const path = random.pick(Object.keys(restBodies));
  const keys = [...(restBodies[path] ?? []), ...(random.chance(0.1) ? ['__proto__', 'more'] : [])];
  const pairs = keys.map((key) => `"${key}":${random.chance(0.5) ? wrongValue(random) : '"YSxiCjEsMgo="'}`);
  const body = `{${pairs.join(',')}}`;
  const type = random.chance(0.9)
    ? json
    : random.pick(['text/plain', 'application/json;a', 'multipart/form-data; boundary=x', '', 'x']);
  return { method: 'POST', path, type, body: random.chance(0.2) ? mutated(body, random) : body };
}

function addressCall(random: Random): MalformedCall {
  let path = random.pick(addresses);
  for (let times = random.whole(0, 3); times > 0; times--) {
    const at = random.whole(1, path.length);
    path = path.slice(0, at) + random.pick(addressNoise) + path.slice(at + random.whole(0, 2));
  }
  const method = random.chance(0.6) ? 'GET' : random.pick(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST']);
  return { method, path };
}

function uploadCall(random: Random): MalformedCall {
  const part = (head: string, content: string) =>
    `--mark\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const parts = [
    part('name="taskId"', random.pick(['1', '999', '0', '-1', 'x', '', '1\u0000', '9'.repeat(30)])),
    part(
      `name="attachment"; filename="${random.pick(['a.txt', 'a.png', '../a.txt', 'a\u0000.txt', '', '.', '..', 'CON.txt', 'a.svg'])}"`,
      'text',
    ),
    part(random.pick(['name="more"', 'name=""', 'name="__proto__"', 'name', 'name="taskId"', '']), 'x'),
  ].filter(() => random.chance(0.8));
  const body = `${parts.join('')}--mark--\r\n`;
  const type = random.pick([
    ...[
      'multipart/form-data; boundary=mark',
      'multipart/form-data; boundary=mark',
      'multipart/form-data; boundary="mark"',
    ],
    ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other', json],
  ]);
  return { method: 'POST', path: '/attachment', type, body: random.chance(0.4) ? mutated(body, random) : body };
}

function fileCall(random: Random): MalformedCall {
  const path = `/api/import/${random.pick(['orders', 'donations', 'none', '__proto__', '%00', '..'])}${random.pick(['', '?mapping=x', '?mapping=x&mapping=y', '?dryRun=2&mapping=%00'])}`;
  const body = random.pick(['a,b\n1,2\n', '{"a":1}\n', '\u0000', '\u001f\u008b\u0008', '"', '']);
  return {
    method: 'POST',
    path,
    type: random.pick(['text/csv', 'application/x-ndjson', json, 'x']),
    body: mutated(body, random),
  };
}

export function malformedCall(random: Random): MalformedCall {
  const kind = random.fraction();
  if (kind < 0.7) return graphqlCall(random);
  if (kind < 0.78) return restCall(random);
  if (kind < 0.9) return addressCall(random);
  return kind < 0.95 ? uploadCall(random) : fileCall(random);
}
