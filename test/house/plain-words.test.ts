// What people read is plain English. docs/domain-language.md has the words; this test keeps the riddles out.
import { describe, expect, it } from 'vitest';
import { filesUnder, placeOf, type Source, source, sourcesUnder, textOf, wordsOf } from './source.ts';

/** Words and shapes that a reader stumbles over. */
const riddles =
  /\b(whoever|whom|meanwhile|thereby|hence|as it is|what is there|hangs on|goes by|once more|all the same|so that|to begin with|with none|of its own|any ?more'?s|all in all|is not there|are not there|stands? (here|there|beside)|could not be|cannot|may not|somebody|anybody|everybody|run out)\b/i;
const british =
  /\b(colou?r(?<!color)|cent(re|red)|cancell(ed|ing)|label(led|ling)|recogni(se|sed|sing)|organi(se|sed)|licen[c]e|favou?rite(?<!favorite)|minimi[s]e|catalogu[e]s?)\b/i;
const longestSentence = 30;
const longestLine = 110;

/** The specification's own words. */
const specified = ['This page could not be found'];

const sentences = (text: string): string[] => text.split(/[.!?:;](?:\s|$)|\n/);
const wordCount = (text: string): number => text.trim().split(/\s+/).length;

/** What a person may read: at least two words, not SQL, not GraphQL, not a log line of the server in lower case. */
function isShown(text: string): boolean {
  const trimmed = text.trim();
  if (specified.includes(trimmed)) return false;
  return /\S\s\S/.test(trimmed) && /^[A-Z“"(]/.test(trimmed) && !/[{}]|^[A-Z]+ [A-Z]+\b|=>|^\(\w+\.\w+/.test(trimmed);
}

function stumbles(file: Source): string[] {
  return wordsOf(file)
    .filter(({ text }) => isShown(text))
    .flatMap(({ node, text }) => {
      const found = riddles.exec(text)?.[0] ?? british.exec(text)?.[0];
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

const fileOf = (text: string, path = 'src/web/x.tsx'): Source => source(path, text);

describe('a text', () => {
  it.each([
    "const a = 'Whoever has it may go on';",
    "const a = 'The tasks could not be loaded';",
    "const a = 'Choose the colour of it';",
    'const a = <p>Nobody holds it meanwhile</p>;',
    `const a = '${'One more word and '.repeat(9)}';`,
  ])('makes people stumble with %s', (text) => {
    expect(stumbles(fileOf(text))).not.toEqual([]);
  });
  it.each([
    "const a = 'Couldn’t load the tasks';",
    'const a = sql`select whom from meanwhile`;',
    "const a = 'whoever';",
    'const a = <p>Select one to see its files. It opens on the right.</p>;',
  ])('is plain with %s', (text) => {
    expect(stumbles(fileOf(text))).toEqual([]);
  });
});

describe('plain English', () => {
  it('is what screens, errors, mails and commands say', () => {
    const product = sourcesUnder('src').filter(({ path }) => !/\.test\.|\/demo\/task-/.test(path));
    expect(product.flatMap(stumbles)).toEqual([]);
  });
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesUnder('docs')].filter(
    (path) => path.endsWith('.md'),
  );
  it('is what the documents say, in lines that a difference can show', () => {
    const faults = documents.flatMap((path) =>
      proseOf(textOf(path)).flatMap((line) => {
        const found = riddles.exec(line)?.[0] ?? british.exec(line)?.[0];
        return [
          ...(found === undefined ? [] : [`${path} says "${found}": ${line}`]),
          ...(line.length > longestLine ? [`${path} has a line of ${line.length} characters: ${line}`] : []),
        ];
      }),
    );
    expect(faults).toEqual([]);
  });
  it('stays short: 15,000 words are the aim, and no change makes more of them than there were', () => {
    const counted = documents.filter((path) => path !== 'CHANGELOG.md').map((path) => wordCount(textOf(path)));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(22_000);
  });
});
