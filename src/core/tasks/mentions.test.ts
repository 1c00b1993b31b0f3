import { describe, expect, test } from 'vitest';
import { limits } from '../base/limits.ts';
import {
  linkMentions,
  mentionedIn,
  mentionOf,
  mentionsIn,
  mentionsRefusal,
  mentionTyped,
  nameMentions,
  withPlainMentions,
} from './mentions.ts';

describe('who is mentioned', () => {
  test.each([
    ['a name alone is nobody', 'Ask @Anna', []],
    ['an address is nobody', 'anna@company.test', []],
    ['a link elsewhere is nobody', '[@Anna](https://else.test) [Anna](person:3) [@Anna](person:0)', []],
    ['one', 'Ask [@Anna Berg](person:3)', ['3']],
    ['each once', '[@A](person:3) [@B](person:4) [@A again](person:3)', ['3', '4']],
    ['not over lines', '[@Anna\nBerg](person:3)', []],
  ])('%s', (_case, text, ids) => expect(mentionedIn(text)).toEqual(ids));

  test.each([
    ['more than 20', 21, 0, 'A note can mention up to 20 people'],
    [
      'more than 20 with those of earlier texts',
      11,
      10,
      'This note already notified 10 people, and a note can notify up to 20',
    ],
    ['20', 20, 20, null],
    ['20 with those of earlier texts', 10, 10, null],
  ])('%s', (_case, mentioned, earlier, message) => {
    const ids = (length: number, from: number) => Array.from({ length }, (_, index) => String(from + index));
    // Those of earlier texts come first, so 20 and 20 are the same.
    const after = mentioned === 20 ? 1 : earlier + 1;
    expect(mentionsRefusal(ids(mentioned, after), ids(earlier, 1), [])?.message ?? null).toBe(message);
  });

  test('an older note with more than 20 can be edited, unless that mentions one more', () => {
    const before = Array.from({ length: 25 }, (_, index) => String(index + 1));
    expect(mentionsRefusal(before, before, before)).toBe(null);
    expect(mentionsRefusal(before.slice(2), [], before)).toBe(null);
    expect(mentionsRefusal([...before, '26'], [], before)?.code).toBe('BAD_INPUT');
  });
});

describe('the names of a note that is saved', () => {
  const people = [{ id: '2', displayName: 'Anna [A] Berg' }];
  const typed = '[@Anna Admin approved this](person:2)';
  const refused = 'One mention is inside another. Remove one of them';
  const tooLong = 'With the names of the people it mentions, this note is too long. Shorten it';
  test.each([
    ['nobody’s', 'Ask @Anna [Anna](person:2)', 'Ask @Anna [Anna](person:2)'],
    ['the person’s', `Ask ${typed}`, 'Ask [@Anna  A  Berg](person:2)'],
    ['none for someone who isn’t found', '[@Anna Berg](person:3)', '@Anna Berg'],
    ['the one before', '[@Zoë](person:4) [@Anna](person:4)', '[@Zoë](person:4) @Anna'],
    ['one inside another', '[@Anna [@B](person:3)](person:2)', refused],
    ['longer ones than the limit', '[@A](person:2)'.repeat(limits.note / 15), tooLong],
  ])('%s', (_case, text, expected) => {
    const named = nameMentions(text, people, 'Ask [@Zoë](person:4)');
    expect(typeof named === 'string' ? named : named.message).toBe(expected);
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
