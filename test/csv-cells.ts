// Reads CSV back as a spreadsheet would, for tests of what is exported.

/** The fields of each line, with quotes and line breaks in them. */
export function csvCells(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)!.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.filter((line) => line.length > 1);
}
