// The product's files, read and parsed once for the house laws.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Source = { readonly path: string; readonly text: string; readonly tree: ts.SourceFile };

/** A file as the rules see it; the planted examples are made with it too. */
export function source(path: string, text: string): Source {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind) };
}

/** Paths below a folder of the repository, from its root, with forward slashes. */
export function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'data'].includes(entry.name) ? [] : filesUnder(path);
    return [path];
  });
}

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const isGenerated = (path: string): boolean => path.endsWith('graphql-env.d.ts');
export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

const parsed = new Map<string, Source>();

export function sourcesUnder(...folders: string[]): Source[] {
  return folders
    .flatMap(filesUnder)
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !isGenerated(path))
    .map((path) => {
      const known = parsed.get(path) ?? source(path, textOf(path));
      parsed.set(path, known);
      return known;
    });
}

const nodesKnown = new WeakMap<Source, readonly ts.Node[]>();

/** Every node of a file; kept, because many rules ask. */
export function nodesOf(file: Source): readonly ts.Node[] {
  const known = nodesKnown.get(file) ?? listNodes(file);
  nodesKnown.set(file, known);
  return known;
}

function listNodes({ tree }: Source): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return nodes;
}

/** Where a fault is, for the reader of a failed test. */
export function placeOf({ path, tree }: Source, position: number): string {
  return `${path}:${tree.getLineAndCharacterOfPosition(position).line + 1}`;
}

/** A piece of text in the code: a literal, a part of a template, text between tags, or a key. */
export type Words = { readonly node: ts.Node; readonly text: string };

export function wordsOf(file: Source): Words[] {
  return nodesOf(file).flatMap((node): Words[] => {
    const isWords = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isWords && !isImportPath(node)) return [{ node, text: node.text }];
    return ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node
      ? [{ node, text: node.text }]
      : [];
  });
}

function isImportPath(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent);
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** What a file imports, static or not, types included. */
export function importsOf(file: Source): { readonly specifier: string; readonly at: number }[] {
  return nodesOf(file).flatMap((node) =>
    ts.isStringLiteralLike(node) && isImportPath(node) ? [{ specifier: node.text, at: node.getStart() }] : [],
  );
}

/**
 * Comments with their text, without the marks. They can only stand before or behind a token, never inside a
 * text.
 */
export function commentsOf({ text, tree }: Source): { readonly text: string; readonly at: number }[] {
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const parts = node.getChildren(tree);
    for (const part of parts) visit(part);
    if (parts.length > 0 || ts.isJsxText(node)) return;
    const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const behind = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
    for (const { pos, end } of [...before, ...behind]) found.set(pos, text.slice(pos, end));
  };
  visit(tree);
  return [...found].map(([at, comment]) => ({ at, text: comment.replace(/^\/\*+|\*\/$|^\/\/ ?/g, '') }));
}

/** The faults that no reviewed exception covers, and the exceptions that cover nothing any more. */
export function against(faults: readonly string[], exceptions: Readonly<Record<string, string>>): string[] {
  const fileOf = (fault: string) => fault.split(/[: ]/)[0] ?? '';
  const covering = (fault: string) =>
    Object.keys(exceptions).find(
      (path) => fileOf(fault) === path || (path.endsWith('/') && fileOf(fault).startsWith(path)),
    );
  const used = new Set(faults.map(covering));
  const unused = Object.keys(exceptions).filter((path) => !used.has(path));
  return [
    ...faults.filter((fault) => covering(fault) === undefined),
    ...unused.map((path) => `${path} needs its exception no more: take it out`),
  ];
}
