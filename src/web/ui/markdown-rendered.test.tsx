import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MarkdownRendered } from './markdown-rendered.tsx';

const shown = (text: string, document = false) =>
  renderToStaticMarkup(<MarkdownRendered text={text} document={document} />);

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
