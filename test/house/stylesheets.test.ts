import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { isTest, sourcesUnder, textOf } from './source.ts';

type Use = { readonly path: string; readonly sheet: string; readonly names: readonly string[] };

/** The class names that a file takes from each of its stylesheets. */
function usesOf(path: string, text: string): Use[] {
  const withoutImports = text.replace(/^import .*;$/gm, '');
  return [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].map(([, name, from = '']) => ({
    path,
    sheet: from.startsWith('#web/') ? from.replace('#web/', 'src/web/') : posix.join(posix.dirname(path), from),
    names: [...withoutImports.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].flatMap(([, used]) => used ?? []),
  }));
}

function classesOf(css: string): Set<string> {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/:global\([^)]*\)/g, '');
  return new Set([...rules.matchAll(/\.([a-zA-Z][\w-]*)/g)].flatMap(([, name]) => name ?? []));
}

const lacking = ({ path, sheet, names }: Use, css: string): string[] =>
  names.filter((name) => !classesOf(css).has(name)).map((name) => `${path} uses .${name}, which isn’t in ${sheet}`);

const uses = sourcesUnder('src/web')
  .filter(({ path }) => !isTest(path))
  .flatMap(({ path, text }) => usesOf(path, text));

it('finds a class that a stylesheet lacks, and only that one', () => {
  const [use] = usesOf('src/web/a/x.tsx', "import css from './x.module.css';\nconst a = [css.kept, css.gone];");
  expect(lacking(use!, '.kept { margin: 0.5px } /* .gone */')).toEqual([
    'src/web/a/x.tsx uses .gone, which isn’t in src/web/a/x.module.css',
  ]);
});

it('every class that a component uses is in its stylesheet', () => {
  expect(uses.length).toBeGreaterThan(100);
  expect(uses.flatMap((use) => lacking(use, textOf(use.sheet)))).toEqual([]);
});
