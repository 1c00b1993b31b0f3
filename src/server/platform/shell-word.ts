/** A path as one word of a command that we print for people to copy. */
export const shellWord = (path: string): string =>
  /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
