// Formats lines as RFC 5545 requires: escaped texts (3.3.11), at most 75 octets (3.1), each ended by CR LF.

const longestLine = 75;

/** Any text as a property's value. Drops control characters except the tab. */
export function escapedText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      .replace(/[\\;,]/g, '\\$&')
      .replaceAll('\n', '\\n')
  );
}

/** Splits a line without cutting a character; continuation lines start with a space. */
export function foldedLine(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return `${line}\r\n`;
  let folded = '';
  let length = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (length + size > longestLine) {
      folded += '\r\n ';
      length = 1;
    }
    folded += character;
    length += size;
  }
  return `${folded}\r\n`;
}

/** A date and time without a zone: 20261123T093000. */
export const localTime = (time: Temporal.PlainDateTime): string =>
  time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** An instant: 20261123T083000Z. */
export const utcTime = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
