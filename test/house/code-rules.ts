// The laws of style that no linter of ours knows. Each takes a file and returns its faults in words.
import { basename, posix } from 'node:path';
import ts from 'typescript';
import { commentsOf, importsOf, isTest, nodesOf, placeOf, type Source, wordsOf } from './source.ts';

const statement =
  /^\s*(\*\s*)?((const|let|var|import|export|return|await|throw|if|for|while|switch|function|class|type)\b.*[;{)]|[\w.]+\(.*\);|[\w.[\]]+ = .*;|\}\)?;?|<\/?[A-Z]\w*.*>)\s*$/;

/** A line of a comment that reads as a statement: old code belongs to git. */
export function commentedOutCode(file: Source): string[] {
  return commentsOf(file)
    .filter(({ text }) => text.split('\n').some((line) => statement.test(line)))
    .map(({ at }) => `${placeOf(file, at)} keeps code in a comment`);
}

/** A promise in the code names the issue that keeps it. */
export function promisesWithoutIssue(file: Source): string[] {
  return commentsOf(file)
    .filter(({ text }) => /(\bTODO\s*[:(]|@todo|\b(FIXME|XXX|HACK)\b)(?!.*#\d+)/.test(text))
    .map(({ at }) => `${placeOf(file, at)} promises something without the number of an issue`);
}

/** A rule turned off says why. */
export function silencedWithoutReason(file: Source): string[] {
  const silent =
    /@ts-(nocheck|ignore)|@ts-expect-error\s*$|biome-ignore[^:]*(:\s*)?$|eslint-disable|(v8|c8|istanbul) ignore/;
  return commentsOf(file)
    .filter(({ text }) => text.split('\n').some((line) => silent.test(line)))
    .map(({ at }) => `${placeOf(file, at)} turns a check off without a reason`);
}

/** Something put between a comment and what it is about leaves the comment above the wrong thing. */
export function straySentences(file: Source): string[] {
  const stray = [...file.text.matchAll(/\*\/\s*\/\*\*/g)];
  return stray.map(({ index }) => `${placeOf(file, index)} ends a comment about nothing: the next one follows at once`);
}

/**
 * Test files share their worker, so a module put in another's place may come too late, after an earlier file
 * has loaded the real one.
 */
export function replacedModules(file: Source): string[] {
  const replaced = [...file.text.matchAll(/\bvi\.(mock|doMock|hoisted)\(/g)];
  return replaced.map(
    ({ index }) => `${placeOf(file, index)} puts a module in another's place, which depends on order`,
  );
}

export const longestFile = 400;
export const longestFunction = 60;

const linesOf = ({ text }: Source): number => text.trimEnd().split('\n').length;

export function tooLong(file: Source): string[] {
  const lines = linesOf(file);
  const faults = lines > longestFile ? [`${file.path} has ${lines} lines, ${longestFile} are the limit`] : [];
  for (const node of nodesOf(file)) {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) continue;
    const lineOf = (position: number) => file.tree.getLineAndCharacterOfPosition(position).line;
    const length = lineOf(node.getEnd()) - lineOf(node.getStart()) + 1;
    if (length > longestFunction)
      faults.push(`${placeOf(file, node.getStart())} a function of ${length} lines, ${longestFunction} are the limit`);
  }
  return faults;
}

export const shortestFile = 60;

/**
 * A short file that only its neighbor imports is read together with it. What is loaded lazily stays a file by
 * itself.
 */
export function fragments(files: readonly Source[]): string[] {
  const importers = new Map(files.map(({ path }) => [path, new Set<string>()]));
  const lazy = new Set<string>();
  for (const file of files) {
    for (const node of nodesOf(file)) {
      if (!ts.isStringLiteralLike(node)) continue;
      const target = node.text.startsWith('#')
        ? node.text.replace('#', 'src/')
        : posix.join(posix.dirname(file.path), node.text);
      if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent))
        importers.get(target)?.add(file.path);
      else if (importers.has(target)) lazy.add(target);
    }
  }
  return files.flatMap((file) => {
    const lines = linesOf(file);
    const [neighbor, ...others] = importers.get(file.path) ?? [];
    if (!neighbor || others.length > 0 || lazy.has(file.path) || lines >= shortestFile) return [];
    if (posix.dirname(neighbor) !== posix.dirname(file.path)) return [];
    return [`${file.path} has ${lines} lines and only ${basename(neighbor)} imports it: move it there`];
  });
}

const emptyWords = /^(utils?|helpers?|misc|common|managers?)$/i;
const wordsIn = (name: string): string[] => name.split(/[-._/]|(?<=[a-z0-9])(?=[A-Z])/);

/** Names that say nothing, of files and folders and of what they declare. */
export function emptyNames(file: Source): string[] {
  const faults = wordsIn(file.path).some((word) => emptyWords.test(word)) ? [`${file.path} is named for nothing`] : [];
  for (const node of nodesOf(file)) {
    if (!ts.isIdentifier(node) || !('name' in node.parent) || node.parent.name !== node) continue;
    const declares =
      ts.isVariableDeclaration(node.parent) ||
      ts.isFunctionDeclaration(node.parent) ||
      ts.isClassDeclaration(node.parent) ||
      ts.isTypeAliasDeclaration(node.parent) ||
      ts.isInterfaceDeclaration(node.parent);
    // "Approved by manager" is the specification's own name (6).
    if (!declares || node.text === 'isApprovedByManager') continue;
    if (wordsIn(node.text).some((word) => emptyWords.test(word)))
      faults.push(`${placeOf(file, node.getStart())} the name ${node.text} says nothing`);
  }
  return faults;
}

/** Date counts in milliseconds and knows only the machine's zone: a week of 167 hours comes out wrong. */
export function dateArithmetic(file: Source): string[] {
  return nodesOf(file).flatMap((node) => {
    const isDate = ts.isIdentifier(node) && node.text === 'Date';
    const isUse =
      isDate &&
      (ts.isNewExpression(node.parent) ||
        ts.isCallExpression(node.parent) ||
        ts.isPropertyAccessExpression(node.parent));
    return isUse ? [`${placeOf(file, node.getStart())} uses Date: take Temporal`] : [];
  });
}

/** The core has no clock, no chance and no surroundings. */
export function impurity(file: Source): string[] {
  const impure =
    /^(Math\.random|Temporal\.Now|globalThis|console|performance|crypto|process|window|document|fetch|setTimeout|setInterval)$/;
  return nodesOf(file).flatMap((node) => {
    if (ts.isPropertyAccessExpression(node) && impure.test(node.getText()))
      return [`${placeOf(file, node.getStart())} ${node.getText()} is no part of a pure core`];
    if (!ts.isIdentifier(node) || !impure.test(node.text)) return [];
    const isName = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    const isKey = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    return isName || isKey ? [] : [`${placeOf(file, node.getStart())} ${node.text} is no part of a pure core`];
  });
}

/** Ways around React's escaping and the content security policy. */
export function unsafeMarkup(file: Source): string[] {
  return nodesOf(file).flatMap((node) => {
    const at = placeOf(file, node.getStart());
    if (
      ts.isIdentifier(node) &&
      /^(dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|srcdoc|srcDoc)$/.test(node.text)
    )
      return [`${at} ${node.text} runs what people typed`];
    if (
      (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) &&
      /^(style|script)$/.test(node.tagName.getText())
    )
      return [`${at} <${node.tagName.getText()}> is refused by the content security policy`];
    if (ts.isIdentifier(node) && node.text === 'eval' && ts.isCallExpression(node.parent))
      return [`${at} eval is refused by the content security policy`];
    return [];
  });
}

const askers =
  /^(node:(https?|http2|tls|dgram)|undici|nodemailer(\/.*)?|openid-client|flydrive(\/.*)?|@aws-sdk\/.*|@opentelemetry\/exporter-.*|axios|got|ws)$/;

/** A part that can't be fetched would take the whole page with it, or leave the sign-in page blank. */
export function unguardedParts(file: Source): string[] {
  if (!file.path.startsWith('src/web/')) return [];
  return nodesOf(file).flatMap((node) =>
    ts.isImportSpecifier(node) && /^(lazy|Suspense)$/.test(node.name.text)
      ? [`${placeOf(file, node.getStart())} ${node.name.text} has no boundary for failures: use ui/lazy-part.tsx`]
      : [],
  );
}

/** A read that fails later would take away what is shown, and what is typed there. */
export function failedRereads(file: Source): string[] {
  const isFailure = (node: ts.Expression) => /^(\w+\.)?(error|isError)$/.test(node.getText());
  return nodesOf(file).flatMap((node) => {
    const hides =
      (ts.isIfStatement(node) && isFailure(node.expression) && /<PanelError/.test(node.thenStatement.getText())) ||
      (ts.isConditionalExpression(node) && isFailure(node.condition) && /<PanelError/.test(node.whenTrue.getText()));
    return hides
      ? [`${placeOf(file, node.getStart())} shows the failure in place of what was read: ask for the data too`]
      : [];
  });
}

/**
 * Whatever asks another machine. Each is an address of the configuration, and a place where nobody is
 * followed elsewhere (T28).
 */
export function asksOutside(file: Source): string[] {
  const imports = importsOf(file)
    .filter(({ specifier }) => askers.test(specifier))
    .map(({ specifier, at }) => `${placeOf(file, at)} ${specifier} asks other machines`);
  const calls = nodesOf(file).flatMap((node) => {
    const isFetch = ts.isCallExpression(node) && /^(globalThis\.)?fetch$/.test(node.expression.getText());
    const isConnect =
      ts.isImportSpecifier(node) && /^(connect|createConnection)$/.test((node.propertyName ?? node.name).text);
    return isFetch || isConnect ? [`${placeOf(file, node.getStart())} ${node.getText()} asks another machine`] : [];
  });
  return [...imports, ...calls];
}

/** Repeats a group in which something repeats: the ways to match double with every character. */
export function slowPatterns(file: Source): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!ts.isRegularExpressionLiteral(node)) return [];
    const bare = node.text.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_');
    return repeatsRepeated(bare) ? [`${placeOf(file, node.getStart())} ${node.text} may run for ever`] : [];
  });
}

const endless = /^(?:[*+]|\{\d+,\})/;

/** Whether a pattern without escapes and classes repeats a repeated group. */
function repeatsRepeated(bare: string): boolean {
  const open: { start: number; repeats: boolean }[] = [];
  for (let at = 0; at < bare.length; at++) {
    const after = bare.slice(at + 1);
    if (bare[at] === '(') open.push({ start: at, repeats: false });
    else if (bare[at] === ')') {
      const group = open.pop();
      if (group?.repeats && endless.test(after)) return true;
      const outer = open.at(-1);
      if (outer && (group?.repeats || endless.test(after))) outer.repeats = true;
    } else if (endless.test(bare.slice(at))) {
      const inside = open.at(-1);
      if (inside) inside.repeats = true;
    }
  }
  return false;
}

/** `any` needs its reason where it stands, in the words that the linter asks for. */
export function anyType(file: Source): string[] {
  const lines = file.text.split('\n');
  return nodesOf(file).flatMap((node) => {
    if (node.kind !== ts.SyntaxKind.AnyKeyword) return [];
    const { line } = file.tree.getLineAndCharacterOfPosition(node.getStart());
    if (/biome-ignore lint\/suspicious\/noExplicitAny: \S/.test(lines[line - 1] ?? '')) return [];
    return [`${placeOf(file, node.getStart())} any says nothing: unknown asks to look first`];
  });
}

const isTitle = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) &&
  node.parent.arguments[0] === node &&
  /^(it|test|describe)\b/.test(node.parent.expression.getText());

/** Titles are sentences of the specification; nothing is left out or run alone. */
export function testManners(file: Source): string[] {
  if (!isTest(file.path)) return [];
  const faults = wordsOf(file)
    .filter(({ node, text }) => /\bshould\b/i.test(text) && isTitle(node) && !/should be approved by/.test(text))
    .map(({ node }) => `${placeOf(file, node.getStart())} ${basename(file.path)} says "should": say what is`);
  for (const node of nodesOf(file)) {
    if (!ts.isPropertyAccessExpression(node) || !/^(only|skip|skipIf|runIf|todo|fails)$/.test(node.name.text)) continue;
    if (/^(it|test|describe)\b/.test(node.expression.getText()))
      faults.push(`${placeOf(file, node.getStart())} ${node.getText()} leaves tests out`);
  }
  return faults;
}

/** A function in an SQL template becomes a parameter. It is a call that was forgotten. */
export function functionsInSql(file: Source): string[] {
  return nodesOf(file).flatMap((node) =>
    ts.isTemplateSpan(node) &&
    ts.isTaggedTemplateExpression(node.parent.parent) &&
    node.parent.parent.tag.getText() === 'sql' &&
    ts.isIdentifier(node.expression) &&
    isFunctionHere(node.expression)
      ? [placeOf(file, node.expression.getStart())]
      : [],
  );
}

/** Whether the nearest declaration of the name is a function's. One that is imported isn't known. */
function isFunctionHere({ text, parent }: ts.Identifier): boolean {
  for (let scope: ts.Node | undefined = parent; scope; scope = scope.parent) {
    if (ts.isFunctionLike(scope) && scope.parameters.some(({ name }) => namesIn(name).includes(text))) return false;
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const line of scope.statements) {
      if (ts.isFunctionDeclaration(line) && line.name?.text === text) return true;
      const variables = ts.isVariableStatement(line) ? line.declarationList.declarations : [];
      const found = variables.find(({ name }) => namesIn(name).includes(text));
      if (found) return found.initializer !== undefined && ts.isFunctionLike(found.initializer);
    }
  }
  return false;
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
