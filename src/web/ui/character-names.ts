const names = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['gt', '>'],
  ['lt', '<'],
  ['nbsp', '\u00A0'],
  ['quot', '"'],
]);

/**
 * What `&name;` in a Markdown text means, or false for a name that stays as typed. In the build it replaces
 * `decode-named-character-reference` (vite.config.ts): in a browser, that package parses HTML, which the
 * content security policy forbids. Its list of all 2,125 names would take 11 KiB.
 */
export const decodeNamedCharacterReference = (name: string): string | false => names.get(name) ?? false;
