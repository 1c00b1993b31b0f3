// Into which files the web is bundled. Left to itself the bundler makes a file of every set of pages that
// share something: a visit asked for sixty, most of them smaller than what it costs to ask for one.
import type { Rolldown } from 'vite';

/** What pages share is joined up to so many bytes a file, before compression. */
const sharedBytes = 60_000;
/**
 * On a slow phone a request costs about as much as so many bytes more, before compression, of a file that is
 * loaded anyway.
 */
const requestBytes = 15_000;

type Reach = 'first' | 'later';

type File = Pick<Rolldown.OutputChunk, 'fileName' | 'imports'>;
type Chunk = File & Pick<Rolldown.OutputChunk, 'code' | 'isEntry' | 'isDynamicEntry' | 'dynamicImports'>;

/**
 * For each file the documents that load it, before their program runs or later on, as the bundler finds it
 * when left to itself.
 */
function documentsOfFiles(chunks: readonly Chunk[]): ReadonlyMap<string, ReadonlyMap<string, Reach>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const documents = new Map(chunks.map(({ fileName }) => [fileName, new Map<string, Reach>()]));
  const reach = (entry: string, file: string, when: Reach, seen: Set<string>): void => {
    const chunk = byFile.get(file);
    if (!chunk || seen.has(file)) return;
    seen.add(file);
    documents.get(file)?.set(entry, when);
    for (const imported of chunk.imports) reach(entry, imported, when, seen);
    if (when === 'later') for (const imported of chunk.dynamicImports) reach(entry, imported, when, seen);
  };
  for (const { fileName } of chunks.filter(({ isEntry }) => isEntry))
    for (const when of ['later', 'first'] as const) reach(fileName, fileName, when, new Set());
  return documents;
}

/**
 * Loaded by every document that comes to it before its program runs, by one at least: no page asks for it.
 * What one loads first and another later is shared.
 */
const isOfDocuments = (reaches: ReadonlyMap<string, Reach> | undefined): boolean =>
  reaches !== undefined && reaches.size > 0 && [...reaches.values()].every((when) => when === 'first');

/**
 * The files that these load before they run, each after those it imports, and the first circle among them.
 */
function loadOrder(files: readonly File[], from: readonly string[] = files.map(({ fileName }) => fileName)) {
  const importsOf = new Map(files.map(({ fileName, imports }) => [fileName, imports]));
  const order = new Set<string>();
  let circle: string[] | null = null;
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circle ??= path.slice(path.indexOf(file));
    else if (!order.has(file)) {
      for (const imported of importsOf.get(file) ?? []) walk(imported, [...path, file]);
      order.add(file);
    }
  };
  for (const file of from) walk(file, []);
  return { order, circle: circle as string[] | null };
}

/**
 * Files that import each other in a circle, where one of them runs before what it needs; null where none do.
 */
export const cycleOf = (files: readonly File[]): string[] | null => loadOrder(files).circle;

type Group = {
  /** The first one names it. */
  readonly files: readonly [string, ...string[]];
  readonly imports: readonly string[];
  readonly bytes: number;
  /** A page or dialog by itself, which stays a separate file. */
  readonly isPart: boolean;
};

/** The groups as the files that they will be. */
function filesOf(groups: readonly Group[]): File[] {
  const homes = new Map(groups.flatMap(({ files }) => files.map((file) => [file, files[0]] as const)));
  return groups.map(({ files: [fileName], imports }) => {
    const others = new Set(imports.map((file) => homes.get(file) ?? file));
    others.delete(fileName);
    return { fileName, imports: [...others] };
  });
}

type Pair = readonly [Group, Group];

const join = ([one, other]: Pair): Group => ({
  files: [...one.files, ...other.files],
  imports: [...one.imports, ...other.imports],
  bytes: one.bytes + other.bytes,
  isPart: false,
});

/** What it costs all pages and dialogs together to join two groups, as bytes; below zero where it pays. */
function costOfJoining(groups: readonly Group[]): (pair: Pair) => number {
  const files = filesOf(groups);
  const byName = new Map(groups.map((group) => [group.files[0], group]));
  const loads = new Map(
    groups.map((group) => {
      const { order } = loadOrder(files, [group.files[0]]);
      return [group, [...order].flatMap((name) => byName.get(name) ?? [])];
    }),
  );
  const loadedBy = new Map(groups.map((group) => [group, new Set<Group>()]));
  for (const part of groups.filter(({ isPart }) => isPart))
    for (const group of loads.get(part)!) loadedBy.get(group)!.add(part);
  return (pair) => {
    const [one, other] = pair.map((group) => loadedBy.get(group)!) as [Set<Group>, Set<Group>];
    const parts = [...new Set([...one, ...other])];
    // A page that loads both asks for one file instead of two.
    let cost = (parts.length - one.size - other.size) * requestBytes;
    // A page that loads one of them loads the other in vain, with all that it imports.
    for (const group of new Set(pair.flatMap((half) => loads.get(half)!))) {
      const known = loadedBy.get(group)!;
      const inVain = parts.filter((part) => !known.has(part)).length;
      if (inVain > 0) cost += inVain * (group.bytes + (pair.includes(group) ? 0 : requestBytes));
    }
    return cost;
  };
}

/**
 * The groups with the two joined that it pays most to join, or null where none pay. Never do files import
 * each other in a circle.
 */
function joinedOnce(groups: readonly Group[]): Group[] | null {
  const costOf = costOfJoining(groups);
  const joinable = groups.filter(({ isPart }) => !isPart);
  const joinings = joinable
    .flatMap((one, index) => joinable.slice(index + 1).map((other): Pair => [one, other]))
    .filter(([one, other]) => one.bytes + other.bytes <= sharedBytes)
    .map((pair) => ({ pair, cost: costOf(pair) }))
    .filter(({ cost }) => cost < 0)
    .sort((a, b) => a.cost - b.cost);
  for (const { pair } of joinings) {
    const next = [...groups.filter((group) => !pair.includes(group)), join(pair)];
    if (!cycleOf(filesOf(next))) return next;
  }
  return null;
}

/**
 * Which of the files that several pages, dialogs or documents load become one, each group after those it
 * imports. From the files of a build that was left to itself; those that belong to the documents are not
 * among them.
 */
export function sharedGroups(chunks: readonly Chunk[]): (readonly string[])[] {
  const documents = documentsOfFiles(chunks);
  const isShared = (file: string) => !isOfDocuments(documents.get(file));
  /**
   * Where a file is found: what one document loads first stands in its file, and what all of them do needs
   * nothing else.
   */
  const homeOf = (file: string): string[] => {
    if (isShared(file)) return [file];
    const [document, ...others] = [...documents.get(file)!.keys()];
    return document && others.length === 0 ? [document] : [];
  };
  const importsOf = ({ fileName, imports, isEntry, isDynamicEntry }: Chunk): string[] => {
    if (isEntry) return [...loadOrder(chunks, [fileName]).order].filter(isShared);
    const homes = imports.flatMap(homeOf);
    const [document, ...others] = [...(documents.get(fileName)?.keys() ?? [])];
    // A page of one document comes when that one is there.
    return isDynamicEntry && document && others.length === 0 ? [...homes, document] : homes;
  };
  let groups: Group[] = chunks
    .filter(({ fileName, isEntry }) => isEntry || isShared(fileName))
    .map((chunk) => ({
      files: [chunk.fileName],
      imports: importsOf(chunk),
      // No document may load another one, whose program would start.
      bytes: chunk.isEntry ? Number.POSITIVE_INFINITY : chunk.code.length,
      isPart: chunk.isDynamicEntry || chunk.isEntry,
    }));
  for (let next: Group[] | null = groups; next; next = joinedOnce(groups)) groups = next;
  const { order } = loadOrder(filesOf(groups));
  return [...order].flatMap((name) => {
    const group = groups.find(({ files }) => files[0] === name);
    return group && !group.isPart ? [group.files] : [];
  });
}

/**
 * What a document loads first in one file, apart from what the other one loads first too: who needs a part of
 * a file with a program in it would start that program. What pages share goes into a few files. From the
 * output of a build that was left to itself.
 */
export function outputOf(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputOptions {
  const documents = documentsOfFiles(chunks);
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const nameOf = (entry: string) => byFile.get(entry)!.name;
  const homes = new Map(
    chunks.flatMap(({ fileName, moduleIds }) => {
      const reaches = documents.get(fileName);
      const name = isOfDocuments(reaches) ? [...reaches!.keys()].map(nameOf).join('-') : null;
      return moduleIds.map((id) => [id, name] as const);
    }),
  );
  const shared = sharedGroups(chunks).map(
    (files) => new Set(files.flatMap((file) => byFile.get(file)?.moduleIds ?? [])),
  );
  return {
    codeSplitting: {
      groups: [
        // Each by itself: a group would take all that its modules import with it, what pages share as well.
        {
          debugName: 'documents',
          name: (id: string) => homes.get(id) ?? null,
          priority: 1,
          includeDependenciesRecursively: false,
        },
        // The first of several groups with one priority takes a module, so imported ones come first.
        ...shared.map((modules, index) => ({ name: `pages-${index + 1}`, test: (id: string) => modules.has(id) })),
      ],
    },
  };
}
