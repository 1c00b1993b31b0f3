// What a document names has to exist. Each rule takes a document and what there is, and returns the faults in
// words.
import { posix } from 'node:path';

export type Document = { readonly path: string; readonly text: string };

/** What documents may point at. */
export type Known = {
  readonly files: readonly string[];
  readonly scripts: readonly string[];
  /** Every word of the sources, for names in code spans. */
  readonly words: ReadonlySet<string>;
};

const fenced = /^```[^\n]*\n([\s\S]*?)^```/gm;

/** Code spans and the lines of fenced blocks. */
export function codeOf({ text }: Document): string[] {
  const blocks = [...text.matchAll(fenced)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replace(fenced, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].map((piece) => piece.trim()).filter(Boolean);
}

const pathLike = /^\.?[\w<>*{},.-]+(\/[\w<>*{},.-]+)*(\/|\.(ts|tsx|mjs|cjs|md|json|graphql|css|txt|png|html))$/;
const pattern = (path: string): RegExp =>
  new RegExp(
    `(^|/)${path.replace(/[.+^$()|[\]\\]/g, '\\$&').replace(/<[^>]+>|\*+/g, '[^/]+')}${path.endsWith('/') ? '' : '$'}`,
  );

/**
 * Paths in code spans, from the root or from the document's own folder. Without a folder the name of any file
 * will do.
 */
export function missingPaths(document: Document, { files }: Known): string[] {
  return codeOf(document)
    .filter((piece) => pathLike.test(piece))
    .filter((piece) => {
      const matches = (from: string) => files.some((file) => pattern(posix.join(from, piece)).test(file));
      return !matches('.') && !matches(posix.dirname(document.path));
    })
    .map((piece) => `${document.path} names ${piece}, which is not there`);
}

export function missingLinks({ path, text }: Document, { files }: Known): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?:|#)/.test(target))
    .filter((target) => {
      const wanted = posix.join(posix.dirname(path), target.split('#')[0] ?? '');
      return !files.some((file) => file === wanted || file.startsWith(`${wanted.replace(/\/$/, '')}/`));
    })
    .map((target) => `${path} links to ${target}, which is not there`);
}

export function missingScripts(document: Document, { scripts }: Known): string[] {
  return codeOf(document)
    .flatMap((piece) =>
      [...piece.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test|restart|stop)\b)/g)].map(
        ([, named, short]) => named ?? short ?? '',
      ),
    )
    .filter((script) => !scripts.includes(script))
    .map((script) => `${document.path} runs npm script ${script}, which is not there`);
}

/** Variables, codes, statuses and permissions; functions and types. */
export function missingNames(document: Document, { words }: Known): string[] {
  const named = (piece: string): string[] => {
    const capitals = piece.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g) ?? [];
    const name = /^([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(\(.*\))?$/.exec(piece)?.[1];
    return [...capitals, ...(name ? [name] : [])];
  };
  return codeOf(document)
    .flatMap(named)
    .filter((name) => !words.has(name))
    .map((name) => `${document.path} names ${name}, which no source knows`);
}

export function lineNumbers(document: Document): string[] {
  return [...document.text.matchAll(/\b[\w/-]+\.(?:tsx?|mjs|sql|md|graphql)(?::\d+|#L\d+)|\bline \d+/g)].map(
    ([found]) => `${document.path} counts lines: ${found}`,
  );
}
