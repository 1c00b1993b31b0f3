// Decides how Markdown reads as plain text: in notifications, mails, and until the renderer is loaded.

/** Each takes away marks that a reader doesn't need, and keeps the words between them. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}#{1,6} +/gm, ''],
  [/^ {0,3}(?:> ?)+/gm, ''],
  [/^( *)[*+-] (?:\[[ xX]\] )?/gm, '$1• '],
  [/!?\[([^\]\n]{1,500})\]\([^()\s]{1,2000}\)/g, '$1'],
  [/(\*\*|~~)(?=\S)([^\n]{0,500}?\S)\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])__(?=\S)([^\n]{0,500}?\S)__(?![\p{L}\p{N}_])/gu, '$1'],
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{0,500}[^\s*]|[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]{0,500}[^\s_]|[^\s_])_(?![\p{L}\p{N}_])/gu, '$1'],
];

/** Code, which has no marks inside: lines between fences, or words between backticks. */
const code = /(^ {0,3}(?:```|~~~).*\n[\s\S]*?(?:^ {0,3}(?:```|~~~).*$\n?|(?![\s\S]))|`[^`\n]{1,500}`)/m;

const codeWords = (text: string): string =>
  text.startsWith('`') && !text.startsWith('```')
    ? text.slice(1, -1)
    : text.replaceAll(/^ {0,3}(?:```|~~~).*$\n?/gm, '');

export function plainText(markdown: string): string {
  const parts = markdown.split(code);
  return parts
    .map((part, index) =>
      index % 2 === 1 ? codeWords(part) : marks.reduce((text, [mark, words]) => text.replace(mark, words), part),
    )
    .join('');
}
