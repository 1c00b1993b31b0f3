// Writes a count with its noun. Used by every text with a number of things.

/** "1 task", "1,300 tasks"; `many` for nouns that don't just add an s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
