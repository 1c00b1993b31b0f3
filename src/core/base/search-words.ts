// Splits what a person searches for into words. Used by the server, which finds them, and by the palette.

/** Marks that PostgreSQL removes too, so "jose" finds "José". */
const accents = /[\u0300-\u036f]/g;

export const withoutAccents = (text: string): string => text.normalize('NFD').replace(accents, '').toLowerCase();

const mostWords = 6;

/** The parts between spaces, for a search inside a text: also of one letter, and with their signs. */
export const searchParts = (text: string): string[] =>
  withoutAccents(text).split(/\s+/).filter(Boolean).slice(0, mostWords);

/** Lower case, of letters and digits only. None if the text has no word of two characters: it finds everything. */
export function searchWords(text: string): string[] {
  const words = withoutAccents(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.some((word) => word.length > 1) ? [...new Set(words)].slice(0, mostWords) : [];
}
