import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { gainsAddress } from '#core/base/addresses.ts';
import { lightMarkdown } from '#core/base/plain-text.ts';
import { Markdown, readyMarkdown } from './markdown.tsx';
import { MarkdownRendered } from './markdown-rendered.tsx';

const shown = (text: string, document = false, mentions = false) =>
  renderToStaticMarkup(<MarkdownRendered text={text} document={document} mentions={mentions} />);

/** The visible text. */
const read = (text: string, document = false) =>
  shown(text, document)
    .replaceAll('<br/>\n', '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"');

const kinds = [false, true];

it.each(kinds)('runs no HTML and loads no picture (document: %s)', (document) => {
  for (const text of ['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '![x](https://evil.test/x.png)'])
    expect(shown(text, document)).not.toMatch(/<(img|script)/);
  expect(shown('[x](javascript:alert(1))', document)).not.toContain('href');
});

it.each(kinds)('shows angle brackets as typed (document: %s)', (document) => {
  for (const text of [
    'Ask <customer name> for a List<String>',
    '<todo>',
    '<todo>\nthen this',
    'a <!-- b --> c',
    '</p>',
    '<div align="left">',
  ])
    expect(read(text, document)).toBe(text);
});

it.each(kinds)('keeps Markdown inside angle brackets and links of their own (document: %s)', (document) => {
  expect(shown('<b>**bold**</b>', document)).toContain('<strong>bold</strong>');
  expect(shown('<https://example.com/a>', document)).toContain('href="https://example.com/a"');
});

it.each(kinds)('breaks a line where somebody pressed Enter (document: %s)', (document) => {
  expect(shown('Line one\nLine two', document)).toBe('<p>Line one<br/>\nLine two</p>');
});

it.each(kinds)('shows a picture as a link with its description or address (document: %s)', (document) => {
  expect(shown('![The sketch](https://example.com/a.png)', document)).toMatch(
    /<a href="https:\/\/example.com\/a.png"[^>]*>The sketch<\/a>/,
  );
  expect(read('![](https://example.com/a.png)', document)).toBe('https://example.com/a.png');
});

it('shows a mention in a note only, and no other link to a person as one', () => {
  const mention = '[@Nora Berg](person:5)';
  expect(shown(mention, false, true)).toMatch(/<span class="[^"]+">@Nora Berg<\/span>/);
  for (const text of [
    '[Anna approved this](person:5)',
    '[@**Anna** approved this](person:5)',
    '[@Anna approved this](<person:5>)',
    '[@Anna approved this][a]\n\n[a]: person:5',
    '![@Anna approved this](person:5 "a")',
  ])
    expect([text, shown(`${mention} ${text}`, false, true).match(/<span/g)]).toEqual([text, ['<span']]);
  for (const document of kinds) expect(shown(mention, document)).not.toContain('<span');
});

it.each([
  ['quotes', '>'.repeat(30)],
  ['lists', '1. '.repeat(30)],
  ['emphasis', `${'*'.repeat(1_500)}a${'*'.repeat(1_500)}`],
])('shows a text that would stop the page as plain text: %s', async (_, text) => {
  await readyMarkdown();
  expect(renderToStaticMarkup(<Markdown text="> *a*" />)).toContain('<blockquote>');
  expect(renderToStaticMarkup(<Markdown text={text} />)).not.toMatch(/<(blockquote|ol|em|strong)/);
});

const openedIn = (text: string) => shown(text, true).match(/<[a-z]/g)?.length ?? 0;

/** More would stop the page of a slow computer, beside what else it shows. */
const mostElements = 20_000;

/** Of as many copies of the text as one page renders, within as many notes as a task can have. */
const elementsOnPage = (text: string) =>
  lightMarkdown(Array<string>(200).fill(text)).filter(Boolean).length * openedIn(text);

const repeats = [
  ...['- ', '1. ', '> ', '[^a]: ', '[^b]', '- [ ] ', '# ', '    ', '- - - ', '- - - ~', '- '.repeat(18)],
  ...['a', '\n', '\n\n', '  \n', '&#10;', '|', '-|-\n', 'a|b\n-|-\n', '*a*', '_a', '~~', '**', '`a`', '``', '```\n'],
  ...['[a]', '[a](b)', '![', '](', '<', '<a@b.c>', 'a@b.c ', 'a&#64;b.c ', 'a\\@b.c ', 'www.a ', 'WWW.a ', 'www\\.a '],
  ...['http://a ', 'http\\://a ', '[a]: b\n', '[^a]: b\n\n', '***', '\\', '\t'],
];

it('renders as many texts on a page as stay below a number of elements', () => {
  for (const one of repeats) {
    const whole = `${one}${one.endsWith('\n') ? '' : '\n'}`.repeat(2_000 / (one.length + 1));
    expect([one, elementsOnPage(whole) < mostElements]).toEqual([one, true]);
  }
  let rendered = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...repeats), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', ...repeats),
      (unit, before) => {
        const text = before + unit.join('').repeat(1_000 / unit.join('').length);
        const elements = elementsOnPage(text);
        expect([text.slice(0, 80), elements < mostElements]).toEqual([text.slice(0, 80), true]);
        rendered += Number(elements > 0);
      },
    ),
    { numRuns: 100 },
  );
  expect(rendered).toBeGreaterThan(50);
});

const parts = [
  'www. WWW https:// http:/ / \\ . : @ # ? - | & < > [ ] ( ) ` * _ ~ [a]( [a](< [a]:',
  '%2E %2F %C2%AD &sol; &#x2e; &shy; 。 ． ․ · ♥ \u00ad \u034f \u200b \u0338 ⓐ é भारत a evil 1 2130706433',
  'known.example https://known.example/a https://known.example%2F@evil.example',
].flatMap((some) => some.split(' '));

it('makes no link to another host of a text in which the server sees no new address', () => {
  const known = ['https://known.example/a https://known.example/@evil.example'];
  // Nobody owns the host `www`.
  const isElsewhere = ([, href = '']: RegExpExecArray) =>
    URL.canParse(href) && !['known.example', 'www', 'www.'].includes(new URL(href).host);
  let links = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts, ' ', '\n', '\u00a0'), { minLength: 1, maxLength: 9 }), (words) => {
      const text = words.join('');
      if (![...shown(text, true).matchAll(/href="([^"]*)"/g)].some(isElsewhere)) return;
      links += 1;
      expect([text, gainsAddress(known, [text])]).toEqual([text, true]);
    }),
    { numRuns: 1_500 },
  );
  expect(links).toBeGreaterThan(50);
});
