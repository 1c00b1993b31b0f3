// Decides what a text of one line contains: titles, names and sentences that quote them. Used by the inputs, and
// by mails, notifications and calendars for texts of earlier versions.

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const directionMarks = /\p{Bidi_Control}/gu;

/** The text without line breaks, tabs and direction marks, which could forge a line or hide its words. */
export function oneLine(text: string): string {
  return text.replace(directionMarks, '').replace(breaks, ' ').trim();
}
