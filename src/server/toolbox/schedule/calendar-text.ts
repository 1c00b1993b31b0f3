// Lines of a calendar as RFC 5545 wants them: texts escaped (3.3.11), lines of 75 octets at most (3.1), each ended by CR LF.

const longestLine = 75;

/** Any text as the value of a property. Control characters but the tab have no place in a calendar. */
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

/** A line in pieces; each further one begins with a space, and no character is cut in two. */
export function foldedLine(line: string): string {
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

/** 20261123T093000 of a date and time without a zone. */
export const localTime = (time: Temporal.PlainDateTime): string =>
  time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** 20261123T083000Z of an instant. */
export const utcTime = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
