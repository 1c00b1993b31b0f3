/** A path as one shell word, for commands that people copy. */
export const shellWord = (path: string): string =>
  /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
