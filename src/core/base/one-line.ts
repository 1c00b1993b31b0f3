// Decides what a text of one line contains: titles, names and sentences that quote them. Used by the inputs, and
// by mails, notifications and calendars for texts of earlier versions.

/** Line breaks and tabs, which could forge a line, and a Braille cell without dots. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu;

/** Direction marks, joiners, soft hyphens, fillers: they could hide words, or make two texts look the same. */
const hidden = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';

/** Visible characters of scripts whose letters connect or combine, where a joiner changes how they look. */
const connected = `(?!${hidden})[${'Arab Syrc Mand Nkoo Rohg Adlm Mong Phag Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')}]`;

/** Hidden characters that decide how their neighbors look. */
const shaping = [
  // Emoji made of several, their style in color or as text, keycaps, and flags of regions.
  '(?<=\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e007a}]{3,6}\\u{e007f}',
  // Joiners, as in "می‌خواهم", which keep letters apart or join them.
  `(?<=${connected})\\u200c(?=\\u200c*${connected})`,
  `(?<=${connected}[\\u180b-\\u180f]?)\\u200d|(?<!\\u200d)\\u200d(?=${connected})`,
  // Variants of Han and Mongolian characters.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  `(?<=(?!${hidden})\\p{Script=Mongolian})[\\u180b-\\u180f]`,
].join('|');

const shapingOrHidden = new RegExp(`(${shaping})|${hidden}`, 'gu');
const allHidden = new RegExp(hidden, 'gu');

/** The text without line breaks, tabs and hidden characters, except those that shape emoji and letters. */
export function oneLine(text: string): string {
  let line = text.replace(breaks, ' ').trim();
  // What is removed can make a joiner the neighbor of another one, which then goes as well.
  for (let pass = 0; pass < mostPasses; pass++) {
    const cleaned = line.replace(shapingOrHidden, (_found, kept: string | undefined) => kept ?? '').trim();
    if (cleaned === line) return line;
    line = cleaned;
  }
  return line.replace(allHidden, '').trim();
}

/** No real text needs more. */
const mostPasses = 5;

/**
 * Equal for names that look the same: case, width, repeated spaces and hidden characters don't count. Flags
 * of regions differ only in hidden ones, so they are equal too.
 */
export const comparableName = (name: string): string =>
  oneLine(name)
    .replace(allHidden, '')
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase()
    // “İ” becomes “i” with a separate dot here, and a plain “i” in the database.
    .replaceAll('i\u0307', 'i');
