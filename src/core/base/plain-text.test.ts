import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

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
  const started = performance.now();
  for (const text of ['*', '_', '**', '[', '`', '![', '> ', '# ']) plainText(text.repeat(20_000 / text.length));
  expect(performance.now() - started).toBeLessThan(2_000);
});
