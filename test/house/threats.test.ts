// SECURITY.md names a control and a test for every threat; here is seen to it that the tests are there.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { nodesOf, root, source, textOf } from './source.ts';

/** How many threats SECURITY.md lists. A new row raises it, so a lost one is noticed. */
const threatCount = 47;

type Row = { readonly threat: string; readonly control: string; readonly proof: string };

const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| (T\d+) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
    ([, threat = '', , control = '', proof = '']) => ({
      threat,
      control,
      proof,
    }),
  );

/** `path` "title": the titles of tests, each behind the file that it stands in. */
const testsOf = (proof: string): [path: string, title: string][] =>
  [...proof.matchAll(/`([\w./-]+)`((?:,? "[^"]+")+)/g)].flatMap(([, path = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']): [string, string] => [path, title]),
  );

/** `test` of `test(…)`, `test.for(…)(…)` and the like. */
function calledName(node: ts.Expression): string {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return calledName(node.expression);
  return ts.isIdentifier(node) ? node.text : '';
}

/** What `%s` alone stands for: the first column of the rows. */
function rowTitles({ expression, arguments: [title] }: ts.CallExpression): ts.Node[] {
  const isColumn = title && ts.isStringLiteralLike(title) && title.text === '%s';
  const [rows] = isColumn && ts.isCallExpression(expression) ? expression.arguments : [];
  if (!rows || !ts.isArrayLiteralExpression(rows)) return [];
  return rows.elements.flatMap((row) => (ts.isArrayLiteralExpression(row) ? row.elements.slice(0, 1) : []));
}

/** A law is an entry of the table in code.test.ts, which makes its test. */
const isLaw = ({ initializer }: ts.PropertyAssignment): boolean =>
  ts.isObjectLiteralExpression(initializer) &&
  initializer.properties.some((property) => property.name?.getText() === 'rule');

/** The titles of the tests in a file, of the house laws, and of faults. A comment or another text is none. */
function titlesIn(path: string, text: string): Set<string> {
  const titles = nodesOf(source(path, text)).flatMap((node): (ts.Node | undefined)[] => {
    if (ts.isCallExpression(node) && ['test', 'it', 'describe'].includes(calledName(node.expression)))
      return [node.arguments[0], ...rowTitles(node)];
    if (!ts.isPropertyAssignment(node)) return [];
    if (path.startsWith('faults/') && node.name.getText() === 'title') return [node.initializer];
    return isLaw(node) ? [node.name] : [];
  });
  return new Set(titles.flatMap((title) => (title && ts.isStringLiteralLike(title) ? [title.text] : [])));
}

function faultsOf({ threat, control, proof }: Row): string[] {
  if (/^does not apply, because \S.{10,}/.test(proof)) return [];
  const tests = testsOf(proof);
  if (tests.length === 0 || control.length < 10) return [`${threat} names no control or no test`];
  return tests.flatMap(([path, title]) => {
    if (!existsSync(join(root, path))) return [`${threat}: ${path} is not there`];
    return titlesIn(path, textOf(path)).has(title) ? [] : [`${threat}: ${path} has no test "${title}"`];
  });
}

describe('a threat', () => {
  const control = 'something that holds';
  it.each([
    '',
    'does not apply',
    'does not apply, because no',
    'looked at by hand',
    '`test/house/gone.test.ts` "a title"',
    '`test/house/threats.test.ts` "a title of',
    `\`test/house/threats.test.ts\` "${'is not '.repeat(2)}there"`,
  ])('is not covered by %j', (proof) => {
    expect(faultsOf({ threat: 'T1', control, proof })).not.toEqual([]);
  });
  it('is not covered by a comment, a text or a part of a title', () => {
    const code = `
      // test('in a comment', () => {});
      const text = "test('in a text')";
      test.for(['row'])('a whole title', () => {});`;
    expect([...titlesIn('a.test.ts', code)]).toEqual(['a whole title']);
  });
  it('is covered by a test that is there, and by a reason', () => {
    const proof =
      '`test/house/threats.test.ts` "is covered by a test that is there, and by a reason", "is not covered by %j"';
    expect(testsOf(proof)).toHaveLength(2);
    expect(faultsOf({ threat: 'T1', control, proof })).toEqual([]);
    expect(faultsOf({ threat: 'T1', control: '–', proof: 'does not apply, because there is no such door' })).toEqual(
      [],
    );
  });
});

describe('SECURITY.md', () => {
  const rows = rowsOf(textOf('SECURITY.md'));
  it('has a row for each threat, once and in order', () => {
    expect(rows.map(({ threat }) => threat)).toEqual(rows.map((_, index) => `T${index + 1}`));
    expect(rows).toHaveLength(threatCount);
  });
  it('names a control and a test for each, or why it does not apply', () => {
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });
});
