// Decides how Markdown reads as plain text, in notifications, mails and until the renderer is loaded, and
// where rendering would take too long.

/** Each takes away marks that a reader doesn't need, and keeps the words between them. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}#{1,6} +/gm, ''],
  [/^ {0,3}(?:> ?)+/gm, ''],
  [/^( *)[*+-] (?:\[[ xX]\] )?/gm, '$1• '],
  [/!?\[([^[\]\n]{1,500})\]\([^()\s]{1,2000}\)/g, '$1'],
  [/(\*\*|~~)(?=\S)([^\n]{0,500}?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])__(?=\S)([^\n]{0,500}?\S)__(?![\p{L}\p{N}_])/gu, '$1'],
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{0,500}[^\s*]|[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{0,500}[^\s_]|[^\s_])_(?![\p{L}\p{N}_])/gu, '$1'],
];

/** Code, which has no marks inside: lines between fences, or words between backticks. */
const code = /(^ {0,3}(?:```|~~~).*\n[\s\S]*?(?:^ {0,3}(?:```|~~~).*$\n?|(?![\s\S]))|`[^`\n]{1,500}`)/m;

const codeWords = (text: string): string =>
  text.startsWith('`') && !text.startsWith('```')
    ? text.slice(1, -1)
    : text.replaceAll(/^ {0,3}(?:```|~~~).*$\n?/gm, '');

export function plainText(markdown: string): string {
  const parts = markdown.split(code);
  return parts
    .map((part, index) =>
      index % 2 === 1 ? codeWords(part) : marks.reduce((text, [mark, words]) => text.replace(mark, words), part),
    )
    .join('');
}

/**
 * Rendering takes more than linear time in these: levels of lists and quotes, their number, marks in one
 * paragraph, words with addresses, links to an address given elsewhere, what follows an open bracket, and
 * tables, where every line gets the cells of the widest.
 */
const most = { levels: 20, pairs: 1_000_000, marks: 6_000, lines: 3_000, cells: 3_000, cost: 10_000 };

const fence = /^(`{3,}(?=[^`]*$)|~{3,})/;
/** It may open code that its list or quote ends, or close code. Which lines are code is then unknown. */
const innerFence = /[^`~](?:```|~~~)/;
/** Without its spaces. */
const rule = /^([-*_])\1{2,}$/;
/** One container in front of a line: a quote, an item, a footnote. */
const container = /([ \t]*)(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)|\[\^[^\]\s]{1,999}\]:)/y;
/** Lines that surely begin another paragraph, or are none. */
const paragraphStart = /^[ \t]*$|^ {0,3}(?:[-+*]|1[.)])[ \t]+\S|^ {0,3}#{1,6}[ \t]/;
/** Lines that surely end all that is open above them. */
const outermost = /^(?:(?:[-+*]|1[.)])[ \t]+\S|#{1,6}[ \t])/;
/** The line under a table's header, which decides how many cells each line below has. */
const delimiters = /^[-:|> \t]+$/;

/** What becomes a link, code or a line besides those marks. Addresses can have named and escaped signs. */
const elements = /www\.|:\/\/|@|<|`+|[&\\]/gi;

/** A word that can become a link: at each sign, the parser may look for the end of an address. */
const addressWord = /www|http|&/i;
const sign = /[!-/:-@[-`{-~]/g;

/** Brackets that close on their line. After another one, the parser looks back to it at every piece. */
const closedBrackets = /\[[^[\]\\`<]*\]/g;
const piece = /\d+|[a-z]+|[!-/:-@[-`{-~]/gi;

/** It has no content, so nothing goes on below it. */
const blank = /^[> \t]*$/;

/** Whether a browser would need seconds to render the text, or overflow its stack. Takes linear time. */
export const isHeavyMarkdown = (markdown: string): boolean => costOf(markdown) > most.cost;

/** Whether to render each of the texts on one page: as many as a browser renders quickly together. */
export function lightMarkdown(texts: readonly string[]): boolean[] {
  let left = most.cost;
  return texts.map((text) => {
    const cost = costOf(text);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

/** About how many elements the text becomes, and time as if for elements. Infinity if it is heavy. */
function costOf(markdown: string): number {
  const lines = linesToRender(markdown);
  if (lines.length > most.lines) return Infinity;
  let [levels, marks, pairs, inParagraph, afterBracket] = [0, 0, codeSteps(markdown) / 4, 0, 0];
  let [columns, cells, containers] = [0, 0, 0];
  for (const line of lines) {
    if (blank.test(line)) columns = 0;
    else if (line.includes('-') && delimiters.test(line)) columns = Math.max(columns, line.split('|').length);
    cells += columns;
    if (cells > most.cells) return Infinity;
    if (paragraphStart.test(line)) [inParagraph, afterBracket] = [0, 0];
    const found = countOf(line, /[*_~[\]]/g);
    pairs += found * (found + 2 * inParagraph) + addressSteps(line) / 4;
    inParagraph += found;
    marks += found;
    if (afterBracket > 0 || line.replaceAll(closedBrackets, '').includes('[')) {
      const pieces = countOf(line, piece);
      pairs += (pieces * (pieces + 2 * afterBracket)) / 5;
      afterBracket += pieces;
    }
    const opened = containersOf(line);
    levels = levelsOf(line, levels, opened);
    containers += opened.count;
    if (levels > most.levels || marks > most.marks || pairs > most.pairs) return Infinity;
  }
  pairs += containers ** 2 / 9 + (longestDefinition(lines) * countOf(markdown, /\[/g)) / 10;
  return lines.length + 2 * containers + marks + cells + countOf(markdown, elements) + pairs / 100;
}

/** At most this many characters are read to find the ends of addresses. */
function addressSteps(line: string): number {
  if (!addressWord.test(line)) return 0;
  const words = line.split(/[ \t]/).filter((word) => addressWord.test(word));
  return words.reduce((steps, word) => steps + word.length * countOf(word, sign), 0);
}

/** At most this many characters are read to find the ends of code. Inside code, escaped marks count as marks. */
function codeSteps(markdown: string): number {
  const lengths = new Set(markdown.match(/`+/g)?.map((run) => run.length));
  return markdown.length * (lengths.size + countOf(markdown, /\\`/g));
}

/** At most this many characters are repeated in every link that names its address by a word. */
function longestDefinition(lines: readonly string[]): number {
  let [longest, length] = [0, 0];
  for (const line of lines) {
    if (line.includes(']:')) length = line.length;
    else if (blank.test(line)) length = 0;
    else if (length > 0) length += line.length;
    longest = Math.max(longest, length);
  }
  return longest;
}

const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Without blocks of code, unless a fence isn’t at the start of its line. */
function linesToRender(markdown: string): string[] {
  const lines = markdown.split(/\r\n|\r|\n/);
  if (lines.some((line) => innerFence.test(line))) return lines;
  let open: string | undefined;
  return lines.filter((line) => {
    if (open === undefined) {
      open = fence.exec(line)?.[0];
      return true;
    }
    const [, closing = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? [];
    if (closing.startsWith(open)) open = undefined;
    return false;
  });
}

type Containers = { readonly count: number; readonly columns: number };

/** The quotes and items that the line may open, and the columns of the spaces between them. */
function containersOf(line: string): Containers {
  if (rule.test(line.replaceAll(/[ \t]/g, ''))) return { count: 0, columns: 0 };
  let [count, columns, end] = [0, 0, 0];
  for (; count <= most.levels; count += 1) {
    container.lastIndex = end;
    const [all = '', spaces = ''] = container.exec(line) ?? [];
    if (all === '') break;
    columns += columnsOf(spaces);
    end += all.length;
  }
  return { count, columns: columns + columnsOf(/^[ \t]*/.exec(line.slice(end))![0]) };
}

/** At most this many levels are open after the line; `before` were open above it. */
function levelsOf(line: string, before: number, { count, columns }: Containers): number {
  if (outermost.test(line)) return count;
  // An inner list goes on with at least two spaces, and a paragraph without any.
  return Math.max(before, count + Math.min(before, Math.floor(columns / 2)));
}

const columnsOf = (spaces: string): number => spaces.replaceAll('\t', '    ').length;
