// Sends every argument of every call each kind of wrong value: the answer must say what is wrong.
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusals } from '#core/base/refusals.ts';
import { schema } from '#server/schema.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  await app.sprint();
  token = await app.signIn(await app.person({ role: 'admin' }));
});
afterAll(() => app.stop());

/** As JSON text, because some can't be written as JavaScript values. */
const values = [
  ...['true', '-1', '0', '1.5', '1e400', '2147483648', '9007199254740993'],
  ...['""', '"x"', '"0"', '"-1"', '"1e3"', '" 1"', '"999999999999999999"', '"9999999999999999999999"'],
  ...['"\\u0000"', '"\\ud800"', '"__proto__"', '"constructor"', '"\' or 1=1 --"', JSON.stringify('é'.repeat(40_000))],
  ...['[]', '[null]', '["1"]', '[[1]]', '{}', '{"__proto__":{"a":1}}', '{"sprintId":"1","sprintId":"2"}'],
];

function rightValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return rightValue(type.ofType);
  if (isListType(type)) return [rightValue(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, rightValue(field.type)]));
  return { ID: '1', Int: 1, Boolean: true }[getNamedType(type).name] ?? 'Text';
}

/** A leaf of the call's result. */
function selection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields());
  const leaf = fields.find((field) => !isObjectType(getNamedType(field.type)));
  const [first] = fields;
  return `{ ${leaf ? leaf.name : `${first?.name} ${selection(first?.type as GraphQLOutputType)}`} }`;
}

const roots = [schema.getQueryType(), schema.getMutationType()] as const;
const everyCall = roots.flatMap((root, index) =>
  Object.values(root?.getFields() ?? {}).map(
    (field) => [`${root?.name}.${field.name}`, index === 0 ? 'query' : 'mutation', field] as const,
  ),
);
const calls = everyCall.filter(([, , { args }]) => args.length > 0);

async function answerTo(query: string, variables: string): Promise<{ status: number; codes: string[]; body: string }> {
  const response = await app.call({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  });
  const errors: { extensions: { code: string } }[] = response.json().errors ?? [];
  return { status: response.statusCode, codes: errors.map(({ extensions }) => extensions.code), body: response.body };
}

function variablesWith(args: readonly GraphQLArgument[], given: string, value: string): string {
  const pairs = args.map(({ name, type }) => [name, name === given ? value : JSON.stringify(rightValue(type))]);
  return `{${pairs.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
}

describe('a value that is not right is never a failure of the server', () => {
  it.each(calls)('%s', async (_name, kind, { name, args, type }) => {
    const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
    const query = `${kind} (${declared}) { ${name}(${args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')}) ${selection(type)} }`;
    for (const { name: given } of args) {
      for (const value of values) {
        const { status, codes } = await answerTo(query, variablesWith(args, given, value));
        const known = codes.every((code) => code !== 'INTERNAL' && Object.hasOwn(refusals, code));
        expect([status < 500, known], `${given}: ${value.slice(0, 80)} gave ${status} ${codes}`).toEqual([true, true]);
      }
    }
  });
});

describe('a fault that nobody foresaw', () => {
  it('in any call tells nothing but that it happened', async () => {
    const { database } = app.parts;
    const { drizzle } = database;
    const fault = () => {
      throw new Error("select secret from people at /srv/app/src/x.ts. Did you mean 'y'?");
    };
    const broken = {
      execute: fault,
      select: fault,
      selectDistinct: fault,
      insert: fault,
      update: fault,
      delete: fault,
    };
    const whole = { drizzle: { ...drizzle }, transaction: database.transaction };
    Object.assign(drizzle, broken);
    Object.assign(database, { transaction: fault });
    let met = 0;
    try {
      for (const [, kind, { name, args, type }] of everyCall) {
        const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
        const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
        const query = `${kind} ${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${selection(type)} }`;
        const { codes, body } = await answerTo(query, variablesWith(args, '', ''));
        if (codes.includes('INTERNAL')) met += 1;
        expect(body, name).not.toMatch(/secret|\/srv|\.ts\b|Did you mean|stack/);
      }
    } finally {
      for (const name of Object.keys(broken)) delete (drizzle as unknown as Record<string, unknown>)[name];
      Object.assign(drizzle, whole.drizzle);
      Object.assign(database, { transaction: whole.transaction });
    }
    expect(met).toBeGreaterThan(everyCall.length / 2);
  });
});
