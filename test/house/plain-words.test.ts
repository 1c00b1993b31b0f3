// What people read is plain English. docs/domain-language.md has the words; this test keeps the riddles out.
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { commentsOf, filesUnder, placeOf, type Source, source, sourcesUnder, textOf, wordsOf } from './source.ts';

/** Words and shapes that a reader stumbles over. */
const riddles =
  /\b(whoever|whom|meanwhile|thereby|hence|as it is|what is there|hangs on|goes by|once more|all the same|so that|to begin with|with none|of its own|any ?more'?s|all in all|is not there|are not there|stands? (here|there|beside)|could not be|cannot|may not|somebody|anybody|everybody|run out)\b/i;
const british =
  /\b(colou?r(?<!color)|cent(re|red)|cancell(ed|ing)|label(led|ling)|recogni(se|sed|sing)|organi(se|sed)|licen[c]e|favou?rite(?<!favorite)|minimi[s]e|catalogu[e]s?)\b/i;
/** Words that a better one replaced: try again, email, anymore, automatically, an ellipsis without a space. */
const replaced = /\b(retry|e-mails?|any more|by (itself|themselves))\b| …/i;
/** Screens write ’. */
const straightApostrophe = /[a-z]'(s|t|re|ve|ll|d|m)\b/i;
const longestSentence = 30;
const longestLine = 110;

/** The specification's own words. */
const specified = [
  'This page could not be found',
  "You don't have permission for this application",
  "You don't have permission for this page",
];

const sentences = (text: string): string[] => text.split(/[.!?:;](?:\s|$)|\n/);
/** Words have a letter or a digit: the marks of tables and lists are none. */
const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;

/**
 * What a person may read: at least two words, not SQL, not GraphQL, not a log line of the server in lower
 * case.
 */
function isShown(text: string): boolean {
  const trimmed = text.trim();
  return /\S\s\S/.test(trimmed) && /^[A-Z“"(]/.test(trimmed) && !/[{}]|^[A-Z]+ [A-Z]+\b|=>|^\(\w+\.\w+/.test(trimmed);
}

/** The middle or end of a sentence on a screen: between tags, or after a value in a template without a tag. */
function isFragment({ path }: Source, node: ts.Node): boolean {
  if (ts.isJsxText(node)) return true;
  const isPart = ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
  return isPart && /^src\/(core|web)\//.test(path) && !ts.isTaggedTemplateExpression(node.parent.parent.parent);
}

function stumbles(file: Source): string[] {
  const isOnScreen = /^src\/(core|web)\//.test(file.path);
  return wordsOf(file)
    .filter(({ node, text }) => !specified.includes(text) && (isShown(text) || isFragment(file, node)))
    .flatMap(({ node, text }) => {
      const straight = isOnScreen ? straightApostrophe.exec(text)?.[0] : undefined;
      const found = [riddles, british, replaced].map((words) => words.exec(text)?.[0]).find(Boolean) ?? straight;
      const long = sentences(text).find((sentence) => wordCount(sentence) > longestSentence);
      const place = placeOf(file, node.getStart());
      return [
        ...(found === undefined ? [] : [`${place} says "${found}"`]),
        ...(long === undefined ? [] : [`${place} has a sentence of ${wordCount(long)} words`]),
      ];
    });
}

/** Prose of a document: no code, no tables, no addresses. */
function proseOf(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => !line.startsWith('|') && !line.startsWith('    '));
}

/** A table's cells, without code. The glossary's last column lists the words not to use. */
function cellsOf(path: string): string[] {
  const lines = textOf(path).split('\n');
  return lines
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replace(/`[^`]*`/g, ''))
    .map((line) => (path === 'docs/domain-language.md' ? line.split('|').slice(0, -2).join('|') : line));
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'src/web/README.md',
  ...filesUnder('docs'),
].filter((path) => path.endsWith('.md'));

const commentRoots = ['src', 'test', 'scripts', 'bench', 'faults'];

/** Riddles and long lines in comments. Quotations and code may contain any word. */
function obscureComments(file: Source): string[] {
  return commentsOf(file).flatMap(({ at, text }) => {
    if (/^\s*(biome-ignore|@ts-)/.test(text)) return [];
    const prose = text.replace(/\s*\n\s*\*?\s*/g, ' ').replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '');
    const found = riddles.exec(prose)?.[0];
    const first = file.text.lastIndexOf('\n', at) + 1;
    const isAlone = file.text.slice(first, at).trim() === '';
    const long = isAlone
      ? file.text
          .slice(first, at + text.length)
          .split('\n')
          .filter((line) => line.length > longestLine && !/https?:/.test(line))
      : [];
    const place = placeOf(file, at);
    return [
      ...(found === undefined ? [] : [`${place} says "${found}"`]),
      ...long.map((line) => `${place} has a line of ${line.length} characters`),
    ];
  });
}

/** Names that don't say what a thing is, or what a function does. */
const riddleNames =
  /^(of|tell)[A-Z]|Told|Wished|AtOnce|Beside|Behind|Twin|[mM]eanwhile|[wW]hoever|[wW]hom|blindTo|looker|[oO]wnEyes|^drawn$|madeBefore|Anew|Aside/;

function riddleNamesOf(file: Source): string[] {
  return file.tree.statements
    .flatMap((statement): (ts.Node | undefined)[] =>
      ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name }) => name)
        : [
            ts.isFunctionDeclaration(statement) ||
            ts.isTypeAliasDeclaration(statement) ||
            ts.isClassDeclaration(statement)
              ? statement.name
              : undefined,
          ],
    )
    .filter((name) => name !== undefined && ts.isIdentifier(name) && riddleNames.test(name.text))
    .map((name) => `${placeOf(file, name!.getStart())} is named ${name!.getText()}`);
}

const fileOf = (text: string, path = 'src/web/x.tsx'): Source => source(path, text);

describe('a text', () => {
  it.each([
    "const a = 'Whoever has it may go on';",
    "const a = 'The tasks could not be loaded';",
    "const a = 'Choose the colour of it';",
    'const a = <p>Nobody holds it meanwhile</p>;',
    'const a = <p>{name} was deleted meanwhile. The others remain.</p>;',
    `const a = \`\${name} cannot be saved\`;`,
    'const a = <Button>Retry</Button>;',
    "const a = 'Enter an e-mail address';",
    'const a = <p>It won’t sign you in any more.</p>;',
    "const a = 'It opens by itself.';",
    "const a = 'Signing in …';",
    'const a = "It didn\'t match";',
    `const a = '${'One more word and '.repeat(9)}';`,
  ])('makes people stumble with %s', (text) => {
    expect(stumbles(fileOf(text))).not.toEqual([]);
  });
  it.each([
    "const a = 'Couldn’t load the tasks';",
    'const a = sql`select whom from meanwhile`;',
    "const a = 'whoever';",
    `const a = sql\`update t set a = \${a} where by itself\`;`,
    'const a = "You don\'t have permission for this page";',
    'const a = <p>Select one to see its files. It opens on the right.</p>;',
  ])('is plain with %s', (text) => {
    expect(stumbles(fileOf(text))).toEqual([]);
  });
});

describe('a comment', () => {
  it.each([
    '// Whoever holds it may go on.',
    '/** Held so that nobody\n * changes it. */',
    '// What is there stays as it is.',
    `// ${'word '.repeat(25)}`,
  ])('is obscure with %s', (text) => {
    expect(obscureComments(fileOf(`${text}\nconst a = 1;`))).not.toEqual([]);
  });
  it.each([
    '// Locked until the transaction ends.',
    '/** Spec 6 says "whoever has it may go on". */',
    '// Runs `meanwhile` during the wait.',
  ])('is plain with %s', (text) => {
    expect(obscureComments(fileOf(`${text}\nconst a = 1;`))).toEqual([]);
  });
});

describe('a name', () => {
  it.each(['type TableTwin = {};', 'function openBehind() {}', 'const ofTask = 1;'])('is a riddle with %s', (text) => {
    expect(riddleNamesOf(fileOf(text))).not.toEqual([]);
  });
  it.each(['const official = 1;', 'type ChartTable = {};', 'function openDrillDown() {}'])(
    'is plain with %s',
    (text) => {
      expect(riddleNamesOf(fileOf(text))).toEqual([]);
    },
  );
});

describe('plain English', () => {
  it('is what comments say, in lines that fit', () => {
    expect(sourcesUnder(...commentRoots).flatMap(obscureComments)).toEqual([]);
  });
  it('is what top-level names say', () => {
    expect(sourcesUnder(...commentRoots).flatMap(riddleNamesOf)).toEqual([]);
  });
  it('is what the tables of documents say', () => {
    const faults = documents.flatMap((path) =>
      cellsOf(path).flatMap((line) => {
        const found = riddles.exec(line)?.[0];
        return found === undefined ? [] : [`${path} says "${found}": ${line}`];
      }),
    );
    expect(faults).toEqual([]);
  });
  it('is what screens, errors, mails and commands say', () => {
    const product = sourcesUnder('src').filter(({ path }) => !/\.test\.|\/demo\/task-/.test(path));
    expect(product.flatMap(stumbles)).toEqual([]);
  });
  it('is what the documents say, in lines that a difference can show', () => {
    const faults = documents.flatMap((path) =>
      proseOf(textOf(path)).flatMap((line) => {
        const found = [riddles, british, /\be-mails?\b/i].map((words) => words.exec(line)?.[0]).find(Boolean);
        return [
          ...(found === undefined ? [] : [`${path} says "${found}": ${line}`]),
          ...(line.length > longestLine ? [`${path} has a line of ${line.length} characters: ${line}`] : []),
        ];
      }),
    );
    expect(faults).toEqual([]);
  });
  it('stays short: 15,000 words without the changelog', () => {
    const counted = documents.filter((path) => path !== 'CHANGELOG.md').map((path) => wordCount(textOf(path)));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(15_000);
  });
});
