// Decides what a text of one line contains: titles, names and sentences that quote them. Used by the inputs, and
// by mails, notifications and calendars for texts of earlier versions.

/** Line breaks and tabs, which could forge a line, and a Braille cell without dots. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu;

/** Takes no space: direction marks, joiners, soft hyphens, fillers. It could hide words, or make two texts alike. */
const hidden = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';

/** Scripts whose letters connect or combine, where a joiner changes how the neighboring letters look. */
const connected = `[${'Arab Syrc Mand Nkoo Rohg Adlm Mong Phag Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')}]`;

/** What decides how the characters beside it look. */
const shaping = [
  // Emoji of several, in color or as text, on a keycap, and the flags of regions.
  '(?<=\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e007a}]{3,6}\\u{e007f}',
  // "می‌خواهم" and its like, where only this tells letters to stay apart or to join.
  `(?<=${connected})\\u200c(?=\\u200c*${connected})`,
  `(?<=${connected})\\u200d|(?<!\\u200d)\\u200d(?=${connected})`,
  // Variants of characters in Han and Mongolian.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
].join('|');

const shapingOrHidden = new RegExp(`(${shaping})|${hidden}`, 'gu');
const allHidden = new RegExp(hidden, 'gu');

/** The text without line breaks, tabs and what can't be seen, except what shapes emoji and letters. */
export function oneLine(text: string): string {
  return text
    .replace(shapingOrHidden, (_found, kept: string | undefined) => kept ?? '')
    .replace(breaks, ' ')
    .trim();
}

/** The same for names that look the same: case, width, repeated spaces and what can't be seen don't count. */
export const comparableName = (name: string): string =>
  oneLine(name).replace(allHidden, '').normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
