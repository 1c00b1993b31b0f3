import { expect, it } from 'vitest';
import { expectLinear } from '../../../test/cpu-time.ts';
import { isHeavyMarkdown, lightMarkdown, plainText } from './plain-text.ts';

it.each([
  ['2 * 3 * 4 and a_b_c stay', '2 * 3 * 4 and a_b_c stay'],
  ['keep # and - inside - a line', 'keep # and - inside - a line'],
  ['**Say** who *comes*, _then_ `send` it', 'Say who comes, then send it'],
  ['# Goal\n> quoted\n- one\n* [x] two', 'Goal\nquoted\n• one\n• two'],
  ['see [the plan](https://example.test/a) and ![a drawing](x.png)', 'see the plan and a drawing'],
  ['```ts\nconst a = 1;\n```', 'const a = 1;\n'],
  ['~~old~~ __new__', 'old new'],
  ['use __init__ and my__init__method', 'use init and my__init__method'],
  ['run `a __b__ *c*` now', 'run a __b__ *c* now'],
  ['```\n# a *b*\n- c\n```\n*d*', '# a *b*\n- c\nd'],
  ['```\n*not closed*', '*not closed*'],
])('%j reads %j without the marks of Markdown', (markdown, plain) => {
  expect(plainText(markdown)).toBe(plain);
});

it('takes no longer than the text is long, whatever is typed', () => {
  for (const text of ['*', '_', '**', '[', '`', '![', '> ', '# '])
    expectLinear((length) => void plainText(text.repeat(length / text.length)));
});

const repeated = (text: string, length: number): string => text.repeat(length / text.length);
const around = (before: string, after: string, count: number): string =>
  `${before.repeat(count)}a${after.repeat(count)}`;
const steps = (line: (level: number) => string): string => Array.from({ length: 60 }, (_, at) => line(at)).join('\n');

it.each<[string, string]>([
  ['items in items', repeated('1. ', 90)],
  ['items in items, with other marks', repeated('+ - ', 120)],
  ['many items of many levels', repeated(`${'- '.repeat(18)}a\n`, 29_982)],
  ['many items of few levels', repeated('- - - ~\n', 23_920)],
  ['many quotes of items', repeated('> 1. > - a\n\n', 12 * 1_000)],
  ['links to a long address given elsewhere', `[a]: b${'c'.repeat(15_000)}\n\n${repeated('[a] [a]\n\n', 9 * 1_400)}`],
  [
    'links to a long title given elsewhere',
    `[a]: b (\n${repeated('cccccccccc\n', 15_000)})\n\n${'[a] [a]\n\n'.repeat(800)}`,
  ],
  ['quotes in quotes', repeated('>', 30)],
  ['quotes of items', repeated('> - ', 120)],
  ['footnotes in footnotes', repeated('[^a]: ', 180)],
  ['items in items, a line each', steps((at) => `${'  '.repeat(at)}- a`)],
  ['items in items, with tabs', steps((at) => `${'\t'.repeat(at)}- a`)],
  ['items in items, and lines that go on with the paragraph', steps((at) => `>${'  '.repeat(at)}- a\n> b`)],
  ['items behind a fence that its item ends', `- a\n  \`\`\`\n${repeated('1. ', 90)}`],
  ['items behind what looks like a fence', `\`\`\` \`\n${repeated('1. ', 90)}`],
  ['items behind a closed fence', `\`\`\`\n\`\`\`\`\n${repeated('1. ', 90)}`],
  ['items behind a fence that is indented', ` \`\`\`\nx\n\`\`\`\n\n${repeated('1. ', 90)}`],
  ['items behind a fence in an item', `1. ~~~\n~~~\n\n${repeated('1. ', 90)}`],
  ['lines that end otherwise', `\`\`\`\r\`\`\`\r${repeated('1. ', 90)}`],
  ['emphasis in emphasis', around('*', '*', 700)],
  ['emphasis in emphasis, apart', around('*a ', ' a*', 700)],
  ['words in emphasis', repeated('a*', 3_000)],
  ['struck words', repeated('~~a~~ ', 3_000)],
  ['brackets in brackets', around('[', ']', 700)],
  ['pictures in pictures', around('![', '](b)', 700)],
  ['lines of a paragraph with emphasis', repeated('*a* 2. b\n2. ', 12_000)],
  ['many paragraphs with emphasis', repeated(`${repeated('a*', 400)}\n\n`, 402 * 60)],
  ['signs after an address', `http://a.b/${'?'.repeat(10_000)}x`],
  ['runs of signs after an address', `http://a.b/${repeated(`${'?'.repeat(500)}x`, 10_000)}`],
  ['addresses in one word', repeated('a_www.a.', 7_900)],
  ['addresses in one word, without marks', repeated('/http://-', 9_000)],
  ['addresses in one word, escaped', repeated('www\\.-.', 10_000)],
  ['addresses in one word, named', repeated('&#119;ww&#46;-.', 15_000)],
  ['named signs after an address', `www.a/${repeated('.&a;', 8_000)}x`],
  ['code that begins at escaped marks', repeated('a\\``', 8_100)],
  ['code that never ends', Array.from({ length: 300 }, (_, at) => '`'.repeat(at)).join('a')],
  ['words after an open bracket', `[${repeated(' a', 12_000)}`],
  ['words after an open bracket, on lines', `[\\]${repeated(' a a a a a a a a a\n', 12_000)}`],
  ['letters and digits after an open bracket', `![${repeated('1h', 12_000)}`],
  ['named signs after an open bracket', `[a[b]${repeated('&amp;a', 12_000)}`],
  ['many lines', repeated('a\n', 8_000)],
  ['a wide table of short rows', `${'a|'.repeat(300)}\n${'-|'.repeat(300)}\n${repeated('b\n', 200)}`],
  ['a wide table in a quote', `> ${'a|'.repeat(300)}\n> ${'-|'.repeat(300)}\n${repeated('> b\n', 400)}`],
])('%s are too much to render', (_, text) => {
  expect(isHeavyMarkdown(text)).toBe(true);
});

it.each<[string, string]>([
  ['a list of 20 levels', Array.from({ length: 20 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
  ['a long list', repeated('- [ ] **Call** [Ada](https://example.test) by _Friday_\n', 52 * 400)],
  ['a numbered list', Array.from({ length: 300 }, (_, at) => `${at + 1}. a *b*`).join('\n')],
  ['a list of 1,000 items', Array.from({ length: 1_000 }, (_, at) => `${at + 1}. a`).join('\n')],
  ['addresses below the text', `${repeated('See [this][1].\n\n', 16 * 200)}[1]: https://a.b/${'c'.repeat(200)}`],
  ['lines between parts', repeated('text\n\n- - - - - - - - - - - - - - - - - - - - - - - - -\n\n', 57 * 40)],
  ['a line to sign on', `Name: ${'_'.repeat(200)}`],
  ['code', `\`\`\`py\n${repeated('>>> a_b[c_d] = *e_f\n', 20 * 500)}\`\`\`\n\nThat’s *all*.`],
  ['a table', `|a|b|\n|-|-|\n${repeated('|**a**|[b](c)|\n', 14 * 100)}`],
  ['links to long addresses', repeated(`- [a](https://a.b/${repeated('c=%20&d-', 320)})\n`, 15_000)],
  ['a long paragraph with links', repeated('She said [this](https://a.b) isn’t what we *agreed* on. ', 12_000)],
  ['a list of open points', repeated('- [ ] call [Ada\n  Berg](https://a.b/c) by Friday, or write\n', 24_000)],
  ['prose', repeated('She said *this* isn’t what we agreed on. ', 41 * 200)],
  ['a table of 20 columns and 100 rows', `${'a|'.repeat(19)}a\n${'-|'.repeat(19)}-\n${repeated('b\n', 200)}`],
])('%s is rendered', (_, text) => {
  expect(isHeavyMarkdown(text)).toBe(false);
});

it('renders as many of a page’s texts as are not too much together', () => {
  const links = 'www.a '.repeat(4_000);
  expect(lightMarkdown([links, links, 'a', links, 'b'])).toEqual([true, true, true, false, true]);
  expect(
    lightMarkdown(Array.from({ length: 200 }, () => 'She said *this*.\n\n- See [that](https://a.b)\n')),
  ).not.toContain(false);
  expect(lightMarkdown(['>'.repeat(30), 'a'])).toEqual([false, true]);
  for (const many of ['`a` '.repeat(4_000), '<ab:>'.repeat(6_000)])
    expect(lightMarkdown([many, many, 'a'])).toEqual([true, false, true]);
  const slow = repeated('a_www.a.', 2_000);
  expect(lightMarkdown([slow, slow, slow, 'a'])).toEqual([true, true, false, true]);
});

it('takes linear time to find what is heavy', () => {
  const parts = ['a', 'a www.', '[', '[a', '[a]', '['];
  expectLinear((length) => void isHeavyMarkdown(parts.map((part) => `${part.repeat(length)}\n`).join('')));
});
