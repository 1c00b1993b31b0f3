// Into which files the web is bundled. Left to itself the bundler makes a file of every set of pages that share something: a visit
// asked for sixty, most of them smaller than what it costs to ask for one.
import type { Rolldown } from 'vite';

const shared = 'pages';
/** What pages share is put together until a file has so many bytes, before compression. */
const sharedBytes = 60_000;

type Reach = 'first' | 'later';

/** For each module the documents that load it, before their program runs or later on, as the bundler finds it when left to itself. */
function documentsOfModules(chunks: readonly Rolldown.OutputChunk[]): ReadonlyMap<string, ReadonlyMap<string, Reach>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const documents = new Map<string, Map<string, Reach>>();
  const reach = (entry: string, file: string, when: Reach, seen: Set<string>): void => {
    const chunk = byFile.get(file);
    if (!chunk || seen.has(file)) return;
    seen.add(file);
    for (const id of chunk.moduleIds) documents.set(id, (documents.get(id) ?? new Map()).set(entry, when));
    for (const imported of chunk.imports) reach(entry, imported, when, seen);
    if (when === 'later') for (const imported of chunk.dynamicImports) reach(entry, imported, when, seen);
  };
  for (const { name, fileName } of chunks.filter(({ isEntry }) => isEntry))
    for (const when of ['later', 'first'] as const) reach(name, fileName, when, new Set());
  return documents;
}

/**
 * What a document loads first in one file, apart from what the other one may load too: who needs a part of a file with a program
 * in it would start that program. What pages share goes into a few files. From the output of a build that was left to itself.
 */
export function outputOf(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputOptions {
  const documents = documentsOfModules(chunks);
  const ofDocuments = (id: string): string | null => {
    const reaches = [...(documents.get(id) ?? [])];
    if (!reaches.some(([, when]) => when === 'first')) return null;
    return reaches.map(([name, when]) => (when === 'first' ? name : `${name}-later`)).join('-');
  };
  /** 3 where both documents load it first, 2 where one does so later, 1 where it belongs to one only. */
  const weight = (id: string): number => {
    const reaches = [...(documents.get(id)?.values() ?? [])];
    return reaches.length + (reaches.length > 1 && reaches.every((when) => when === 'first') ? 1 : 0);
  };
  return {
    codeSplitting: {
      groups: [
        // A group takes all that its modules import with it: what more documents load comes before it.
        ...[3, 2, 1].map((priority) => ({
          debugName: `documents ${priority}`,
          priority,
          name: (id: string) => (weight(id) === priority ? ofDocuments(id) : null),
        })),
        { name: shared, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: sharedBytes },
      ],
    },
    // The bundler would name every page that has a part in it.
    chunkFileNames: ({ name }) => `assets/${name.startsWith(`${shared}~`) ? shared : '[name]'}-[hash].js`,
  };
}
