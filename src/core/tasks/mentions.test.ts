import { describe, expect, test } from 'vitest';
import { linkMentions, mentionedIn, mentionOf, mentionsIn, mentionTyped, withPlainMentions } from './mentions.ts';

describe('who is mentioned', () => {
  test.each([
    ['a name alone is nobody', 'Ask @Anna', []],
    ['an address is nobody', 'anna@company.test', []],
    ['a link elsewhere is nobody', '[@Anna](https://else.test) [Anna](person:3) [@Anna](person:0)', []],
    ['one', 'Ask [@Anna Berg](person:3)', ['3']],
    ['each once', '[@A](person:3) [@B](person:4) [@A again](person:3)', ['3', '4']],
    ['not over lines', '[@Anna\nBerg](person:3)', []],
  ])('%s', (_case, text, ids) => expect(mentionedIn(text)).toEqual(ids));

  test('no more than twenty', () => {
    const text = Array.from({ length: 30 }, (_, index) => `[@P](person:${index + 1})`).join(' ');
    expect(mentionedIn(text)).toHaveLength(20);
  });
});

test.each(['Anna Berg', 'Zoë “Z” O’Neil', 'A [b] (c)', 'back\\slash'])(
  '%s is written so that it is read again',
  (name) => {
    const text = `Ask ${mentionOf({ id: '12', displayName: name })}, please`;
    expect(mentionedIn(text)).toEqual(['12']);
    expect(withPlainMentions(text)).toMatch(/^Ask @.+, please$/);
  },
);

describe('a name that is being typed', () => {
  test.each([
    ['nothing', '', null],
    ['an address', 'anna@com', null],
    ['a new line ends it', '@anna\n', null],
    ['the bare sign', 'Ask @', { from: 4, name: '' }],
    ['a first name', 'Ask @An', { from: 4, name: 'An' }],
    ['both names', '@Anna Be', { from: 0, name: 'Anna Be' }],
    ['no third word', '@Anna Berg is', null],
    ['in brackets', '(@Zoë', { from: 1, name: 'Zoë' }],
  ])('%s', (_case, text, typed) => expect(mentionTyped(text, text.length)).toEqual(typed));
});

describe('a text that is edited as one reads it keeps its mentions', () => {
  const anna = { id: '3', displayName: 'Anna' };
  const annaBerg = { id: '4', displayName: 'Anna Berg' };
  const other = { id: '5', displayName: 'Anna Berg' };
  test.each([
    ['unknown people', '@Anna Berg', [], '@Anna Berg'],
    ['a longer word is another name', '@Annabel', [anna], '@Annabel'],
    ['the longest name', '@Anna Berg, @Anna', [anna, annaBerg], '[@Anna Berg](person:4), [@Anna](person:3)'],
    [
      'two of the same name',
      '@Anna Berg @Anna Berg',
      [annaBerg, other],
      '[@Anna Berg](person:4) [@Anna Berg](person:5)',
    ],
    ['one twice', '@Anna @Anna', [anna], '[@Anna](person:3) [@Anna](person:3)'],
    ['a name that is half deleted', '@Ann', [anna], '@Ann'],
  ])('%s', (_case, plain, known, text) => {
    expect(linkMentions(plain, known)).toBe(text);
    expect(linkMentions(withPlainMentions(text), mentionsIn(text))).toBe(text);
  });
});
