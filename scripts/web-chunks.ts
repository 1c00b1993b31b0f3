// Into which files the web is bundled. Left to itself the bundler makes a file of every set of pages that share something: a visit
// asked for sixty, most of them smaller than what it costs to ask for one.
import type { OutputChunk, OutputOptions } from 'rolldown';

const shared = 'pages';
/** What pages share is put together until a file has so many bytes, before compression. */
const sharedBytes = 60_000;

/** For each document its entry and all that loads before it runs, as the bundler finds them when left to itself: ids of modules. */
function modulesOfDocuments(chunks: readonly OutputChunk[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = (file: string, seen: Set<OutputChunk>): Set<OutputChunk> => {
    const chunk = byFile.get(file);
    if (!chunk || seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const imported of chunk.imports) loaded(imported, seen);
    return seen;
  };
  return new Map(
    chunks
      .filter(({ isEntry }) => isEntry)
      .map(({ name, fileName }) => [
        name,
        new Set([...loaded(fileName, new Set())].flatMap(({ moduleIds }) => moduleIds)),
      ]),
  );
}

/** A file for each document and one for what they share, and few for what pages share. From the output of a build without any. */
export function outputOf(chunks: readonly OutputChunk[]): OutputOptions {
  const documents = modulesOfDocuments(chunks);
  const ofDocuments = (id: string): string | null => {
    const names = [...documents].flatMap(([name, modules]) => (modules.has(id) ? [name] : []));
    return names.length > 1 ? 'documents' : (names[0] ?? null);
  };
  return {
    codeSplitting: {
      groups: [
        { debugName: 'documents', priority: 1, name: ofDocuments },
        { name: shared, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: sharedBytes },
      ],
    },
    // The bundler would name every page that has a part in it.
    chunkFileNames: ({ name }) => `assets/${name.startsWith(`${shared}~`) ? shared : '[name]'}-[hash].js`,
  };
}
