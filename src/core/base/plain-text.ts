// Decides how Markdown reads as plain text: in notifications, mails, and until the renderer is loaded.

/** Each takes away marks that a reader doesn't need, and keeps the words between them. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(?:```|~~~).*$\n?/gm, ''],
  [/^ {0,3}#{1,6} +/gm, ''],
  [/^ {0,3}(?:> ?)+/gm, ''],
  [/^( *)[*+-] (?:\[[ xX]\] )?/gm, '$1• '],
  [/!?\[([^\]\n]{1,500})\]\([^()\s]{1,2000}\)/g, '$1'],
  [/`([^`\n]{1,500})`/g, '$1'],
  [/(\*\*|__|~~)(?=\S)([^\n]{0,500}?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{0,500}[^\s*]|[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{0,500}[^\s_]|[^\s_])_(?![\p{L}\p{N}_])/gu, '$1'],
];

export function plainText(markdown: string): string {
  return marks.reduce((text, [mark, words]) => text.replace(mark, words), markdown);
}
