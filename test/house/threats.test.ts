// SECURITY.md names a control for every threat and threat-tests.txt its tests; this checks that the tests
// exist.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { nodesOf, root, source, textOf } from './source.ts';

/** How many threats SECURITY.md lists. A new row raises it, so a lost one is noticed. */
const threatCount = 48;

type Row = { readonly threat: string; readonly control: string };

const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| (T\d+) \| .+? \| (.+?) \|$/gm)].map(([, threat = '', control = '']) => ({ threat, control }));

/** A threat, below it the files of its tests, below each their titles: by indentation. */
function testsOf(list: string): Map<string, [path: string, title: string][]> {
  const tests = new Map<string, [string, string][]>();
  let threat = '';
  let path = '';
  for (const line of list.split('\n').filter(Boolean)) {
    const text = line.trim();
    const depth = line.length - line.trimStart().length;
    if (depth === 4) tests.get(threat)?.push([path, text]);
    else if (depth === 2) path = text;
    else {
      threat = text;
      tests.set(threat, []);
    }
  }
  return tests;
}

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

function faultsOf({ threat, control }: Row, tests: readonly [path: string, title: string][] = []): string[] {
  if (tests.length === 0 || control.length < 10) return [`${threat} names no control or no test`];
  return tests.flatMap(([path, title]) => {
    if (!existsSync(join(root, path))) return [`${threat}: ${path} is not there`];
    return titlesIn(path, textOf(path)).has(title) ? [] : [`${threat}: ${path} has no test "${title}"`];
  });
}

describe('a threat', () => {
  const control = 'something that holds';
  const own = 'test/house/threats.test.ts';
  it.each([
    ['no test', ''],
    ['a file without a title', `T1\n  ${own}`],
    ['a file that is gone', 'T1\n  test/house/gone.test.ts\n    a title'],
    ['a part of a title', `T1\n  ${own}\n    is covered by a test`],
    ['a text that is no title', `T1\n  ${own}\n    ${'is not '.repeat(2)}there`],
    ['a test of another threat', `T2\n  ${own}\n    is covered by a test that is there`],
  ])('is not covered by %s', (_what, list) => {
    expect(faultsOf({ threat: 'T1', control }, testsOf(list).get('T1'))).not.toEqual([]);
  });
  it('is not covered by a comment, a text or a part of a title', () => {
    const code = `
      // test('in a comment', () => {});
      const text = "test('in a text')";
      test.for(['row'])('a whole title', () => {});`;
    expect([...titlesIn('a.test.ts', code)]).toEqual(['a whole title']);
  });
  it('is covered by a test that is there', () => {
    const tests = testsOf(`T1\n  ${own}\n    is covered by a test that is there\n    is not covered by %s`).get('T1');
    expect(tests).toHaveLength(2);
    expect(faultsOf({ threat: 'T1', control }, tests)).toEqual([]);
  });
});

describe('SECURITY.md', () => {
  const rows = rowsOf(textOf('SECURITY.md'));
  const tests = testsOf(textOf('test/house/threat-tests.txt'));
  it('has a row for each threat, once and in order, and tests for no other', () => {
    const threats = Array.from({ length: threatCount }, (_, index) => `T${index + 1}`);
    expect(rows.map(({ threat }) => threat)).toEqual(threats);
    expect([...tests.keys()]).toEqual(threats);
  });
  it('names a control and a test for each', () => {
    expect(rows.flatMap((row) => faultsOf(row, tests.get(row.threat)))).toEqual([]);
  });
});
