// The walls between the rooms, read from the imports alone: the third lock beside the compiler and dependency-cruiser.
import { posix } from 'node:path';
import { importsOf, isTest, placeOf, type Source } from './source.ts';

/** Where an import leads: a path below the repository, or the name of a package. */
export function targetOf(path: string, specifier: string): string {
  const alias = /^#(core|server|web)\//.exec(specifier);
  if (alias) return `src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

const areaOf = (path: string, room: string): string | undefined => new RegExp(`^src/${room}/([^/]+)/`).exec(path)?.[1];

type Wall = { readonly says: string; readonly breaks: (from: string, to: string) => boolean };

const walls: readonly Wall[] = [
  {
    says: 'src/core imports itself and zod/mini only',
    breaks: (from, to) => from.startsWith('src/core/') && !to.startsWith('src/core/') && to !== 'zod/mini',
  },
  {
    says: 'src/server never imports src/web',
    breaks: (from, to) => from.startsWith('src/server/') && to.startsWith('src/web/'),
  },
  {
    says: 'src/web never imports src/server',
    breaks: (from, to) => from.startsWith('src/web/') && to.startsWith('src/server/'),
  },
  {
    says: 'a store belongs to its area: ask the service',
    breaks: (from, to) => /^src\/server\/.+\.store\.ts$/.test(to) && areaOf(from, 'server') !== areaOf(to, 'server'),
  },
  {
    says: 'pages never import pages',
    breaks: (from, to) => {
      const [a, b] = [areaOf(from, 'web/pages'), areaOf(to, 'web/pages')];
      return a !== undefined && b !== undefined && a !== b;
    },
  },
  {
    says: 'ui and charts know no page, layout or call',
    breaks: (from, to) =>
      /^src\/web\/(ui|charts)\//.test(from) &&
      (/^src\/web\/(pages|layouts|api)\//.test(to) || /^@tanstack\/react-(router|query)$/.test(to)),
  },
  {
    says: 'the product knows no test and no script',
    breaks: (from, to) => from.startsWith('src/') && /^(test|scripts|bench|faults)\/|\.test\.tsx?$/.test(to),
  },
];

/** Every import of a file that goes through a wall. Tests may look anywhere. */
export function brokenWalls(file: Source): string[] {
  if (isTest(file.path)) return [];
  return importsOf(file).flatMap(({ specifier, at }) => {
    const target = targetOf(file.path, specifier);
    return walls
      .filter((wall) => wall.breaks(file.path, target))
      .map((wall) => `${placeOf(file, at)} imports ${specifier}: ${wall.says}`);
  });
}
