import { expect, test } from 'vitest';
import { cycleOf, sharedGroups } from './web-chunks.ts';

type Kind = 'entry' | 'page' | 'shared';

/** A file of a build: what it imports, and of how many bytes it is. */
const file = (fileName: string, imports: readonly string[], bytes = 100, kind: Kind = 'shared') => ({
  fileName,
  imports: [...imports],
  dynamicImports: [] as string[],
  code: ' '.repeat(bytes),
  isEntry: kind === 'entry',
  isDynamicEntry: kind === 'page',
});
const page = (fileName: string, imports: readonly string[]) => file(fileName, imports, 100, 'page');

/** A document with the pages that it asks for later. */
const document = (fileName: string, imports: readonly string[], pages: readonly string[] = []) => ({
  ...file(fileName, imports, 100, 'entry'),
  dynamicImports: [...pages],
});

/** The files as they are once each group is one. */
function joined(files: readonly ReturnType<typeof file>[]) {
  const groups = sharedGroups(files);
  const home = (name: string) => groups.find((group) => group.includes(name))?.join('+') ?? name;
  const names = [...new Set(files.map(({ fileName }) => home(fileName)))];
  return names.map((fileName) => {
    const imports = files.filter((one) => home(one.fileName) === fileName).flatMap((one) => one.imports.map(home));
    return { fileName, imports: imports.filter((name) => name !== fileName) };
  });
}

/** Without the order that joining happened in. */
const asSets = (groups: readonly (readonly string[])[]) => new Set(groups.map((group) => group.toSorted().join('+')));

test('a circle is found wherever it lies and told in the order of its imports', () => {
  const files = [file('a', ['b']), file('b', ['c', 'd']), file('c', []), file('d', ['e']), file('e', ['b'])];
  expect(cycleOf(files)).toEqual(['b', 'd', 'e']);
  expect(cycleOf([...files].reverse())).toHaveLength(3);
  expect(cycleOf([file('own', ['own'])])).toEqual(['own']);
});

test('files that meet again further on are no circle, nor is one from outside', () => {
  expect(cycleOf([file('a', ['b', 'c']), file('b', ['d']), file('c', ['d']), file('d', ['https://x.test/y.js'])])).toBe(
    null,
  );
});

test('small files that the same pages load become one', () => {
  const files = [
    page('one', ['x', 'y', 'z']),
    page('two', ['x', 'y', 'z']),
    file('x', []),
    file('y', ['x']),
    file('z', []),
  ];
  expect(asSets(sharedGroups(files))).toEqual(new Set(['x+y+z']));
});

test('two files are not joined around a third that one of them needs and that needs the other', () => {
  // The first and the last, which the same two pages load, would be joined first; the middle one belongs to
  // more pages and is too large to join.
  const files = [
    page('one', ['first', 'last']),
    page('two', ['first', 'last']),
    page('three', ['middle']),
    file('first', ['middle'], 10_000),
    file('middle', ['last'], 55_000),
    file('last', [], 10_000),
  ];
  const apart = files.map((one) => (one.fileName === 'middle' ? { ...one, imports: [] } : one));
  expect(asSets(sharedGroups(apart))).toEqual(new Set(['first+last', 'middle']));
  expect(asSets(sharedGroups(files))).toEqual(new Set(['first', 'middle', 'last']));
  expect(cycleOf(joined(files))).toBeNull();
});

test('a path back through a page keeps files apart too', () => {
  const dialog = page('dialog', ['users', 'top']);
  const files = [page('users', ['bottom']), dialog, page('other', ['top']), file('top', ['users']), file('bottom', [])];
  expect(cycleOf(joined(files))).toBeNull();
  expect(asSets(sharedGroups(files))).toEqual(new Set(['top', 'bottom']));
});

test('a large file is not joined beyond the limit, nor loaded by pages that do not use it', () => {
  const both = ['large', 'half', 'small'];
  const files = [
    page('one', both),
    page('two', both),
    page('three', ['lone']),
    page('four', ['lone']),
    file('large', [], 59_000),
    file('half', [], 40_000),
    file('small', [], 1_500),
    file('lone', [], 50_000),
  ];
  expect(asSets(sharedGroups(files))).toEqual(new Set(['large', 'half+small', 'lone']));
});

test('a page does not come to load what only the files need that its own could be joined with', () => {
  // Joined, the two small ones would save the first two pages a request, and make the last two load the
  // menus.
  const files = [
    ...['one', 'two'].map((name) => page(name, ['small', 'actions'])),
    ...['three', 'four'].map((name) => page(name, ['small'])),
    file('small', [], 1_000),
    file('actions', ['menus'], 1_000),
    file('menus', [], 59_500),
  ];
  const alone = files.map((one) => (one.fileName === 'actions' ? { ...one, imports: [] } : one));
  expect(asSets(sharedGroups(alone))).toEqual(new Set(['actions+small', 'menus']));
  expect(asSets(sharedGroups(files))).toEqual(new Set(['actions', 'menus', 'small']));
});

test('a group stands after those that it imports, and what a document loads first is in none', () => {
  const files = [
    file('index', ['react'], 100, 'entry'),
    file('react', []),
    page('one', ['upper', 'lower']),
    page('two', ['upper', 'lower']),
    page('three', ['lower']),
    file('upper', ['lower', 'react'], 58_000),
    file('lower', ['react'], 58_000),
  ];
  expect(sharedGroups(files)).toEqual([['lower'], ['upper']]);
});

test('what one document loads first and pages of the other need is joined as it costs both least', () => {
  const pages = ['one', 'two', 'three', 'four'];
  const files = [
    document('index', ['react'], pages),
    document('login', ['react', 'parser', 'words', 'marks']),
    file('react', []),
    page('one', ['parser', 'words', 'marks']),
    ...pages.slice(1).map((name) => page(name, ['words', 'marks'])),
    file('parser', [], 27_000),
    file('words', ['react'], 500),
    file('marks', [], 500),
  ];
  expect(asSets(sharedGroups(files))).toEqual(new Set(['parser', 'marks+words']));
});

test('a document does not come to load what the other one is made of', () => {
  // Joined, the two would save both pages a request: but the sign-in would load the kit's file, and start the
  // program in it.
  const files = [
    document('index', ['kit'], ['one', 'two']),
    document('login', ['words']),
    file('kit', [], 90_000),
    page('one', ['words', 'menus']),
    page('two', ['words', 'menus']),
    file('words', [], 500),
    file('menus', ['kit'], 1_000),
  ];
  const alone = files.map((one) => (one.fileName === 'menus' ? { ...one, imports: [] } : one));
  expect(asSets(sharedGroups(alone))).toEqual(new Set(['menus+words']));
  expect(asSets(sharedGroups(files))).toEqual(new Set(['words', 'menus']));
});

test('whatever imports what, joined files never import each other in a circle', () => {
  // The same graphs at every run: a linear congruential generator.
  let state = 7;
  const below = (end: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * end);
  };
  for (let graph = 0; graph < 20; graph += 1) {
    const names = Array.from({ length: 24 }, (_, index) => `file-${index}`);
    const shared = names.map((name, index) =>
      file(
        name,
        names.slice(index + 1).filter(() => below(6) === 0),
        500 + below(30_000),
      ),
    );
    const pages = Array.from({ length: 6 }, (_, index) =>
      page(
        `page-${index}`,
        names.filter(() => below(4) === 0),
      ),
    );
    const files = [...pages, ...shared];
    expect(cycleOf(files)).toBeNull();
    expect(cycleOf(joined(files))).toBeNull();
    const all = sharedGroups(files).flat();
    expect(all.toSorted()).toEqual(names.toSorted());
  }
});
