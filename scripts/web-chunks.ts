// Into which files the web is bundled. Left to itself the bundler makes a file of every set of pages that share something: a visit
// asked for sixty, most of them smaller than what it costs to ask for one.
import type { Rolldown } from 'vite';

/** What pages share is joined up to so many bytes a file, before compression. */
const sharedBytes = 60_000;
/** On a slow phone a request costs about as much as so many bytes more, before compression, of a file that is loaded anyway. */
const requestBytes = 15_000;

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

type File = Pick<Rolldown.OutputChunk, 'fileName' | 'imports'>;
type Chunk = File & Pick<Rolldown.OutputChunk, 'code' | 'isEntry' | 'isDynamicEntry'>;

/** The files that these load before they run, each after those it imports, and the first circle among them. */
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

/** Files that import each other in a circle, so that one of them runs before what it needs; null where none do. */
export const cycleOf = (files: readonly File[]): string[] | null => loadOrder(files).circle;

type Group = {
  /** The first one names it. */
  readonly files: readonly [string, ...string[]];
  readonly imports: readonly string[];
  readonly bytes: number;
  /** A page or dialog by itself, which stays a file of its own. */
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
    // Whoever loads both asks for one file instead of two.
    let cost = (parts.length - one.size - other.size) * requestBytes;
    // Whoever loads one of them loads the other in vain, with all that it imports.
    for (const group of new Set(pair.flatMap((half) => loads.get(half)!))) {
      const known = loadedBy.get(group)!;
      const inVain = parts.filter((part) => !known.has(part)).length;
      cost += inVain * (group.bytes + (pair.includes(group) ? 0 : requestBytes));
    }
    return cost;
  };
}

/** The groups with the two joined that it pays most to join, or null where none pay. Never do files import each other in a circle. */
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
 * Which of the files that several pages or dialogs load become one, each group after those it imports. From the files of a build
 * that was left to itself; those that a document loads first are not among them.
 */
export function sharedGroups(chunks: readonly Chunk[]): (readonly string[])[] {
  const documents = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const loadedFirst = loadOrder(chunks, documents).order;
  let groups: Group[] = chunks
    .filter(({ fileName }) => !loadedFirst.has(fileName))
    .map(({ fileName, imports, code, isDynamicEntry }) => ({
      files: [fileName],
      imports: imports.filter((file) => !loadedFirst.has(file)),
      bytes: code.length,
      isPart: isDynamicEntry,
    }));
  for (let next: Group[] | null = groups; next; next = joinedOnce(groups)) groups = next;
  const { order } = loadOrder(filesOf(groups));
  return [...order].flatMap((name) => {
    const group = groups.find(({ files }) => files[0] === name);
    return group && !group.isPart ? [group.files] : [];
  });
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
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const shared = sharedGroups(chunks).map(
    (files) => new Set(files.flatMap((file) => byFile.get(file)?.moduleIds ?? [])),
  );
  return {
    codeSplitting: {
      groups: [
        // A group takes all that its modules import with it: what more documents load comes before it.
        ...[3, 2, 1].map((priority) => ({
          debugName: `documents ${priority}`,
          priority,
          name: (id: string) => (weight(id) === priority ? ofDocuments(id) : null),
        })),
        // Of groups of one priority the first takes a module: those that others import stand before them.
        ...shared.map((modules, index) => ({ name: `pages-${index + 1}`, test: (id: string) => modules.has(id) })),
      ],
    },
  };
}
