// Decides how a mention stands in the text of a note: a link that names the person by id, `[@Anna Berg](person:12)`.
// Asked by the server, which tells those who are mentioned, and by the web, which writes and shows them.

const mention = /\[@([^\]\n]{1,200})\]\(person:([1-9]\d{0,17})\)/g;

/** Nobody calls a whole company by name; what is beyond this is text. */
const mostMentions = 20;

/** The people that the text mentions, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set(mentionsIn(text).map(({ id }) => id))].slice(0, mostMentions);
}

/** A name cannot end the link that it stands in. */
const writtenName = (name: string): string => name.replace(/[[\]\\\n]/g, ' ').trim();

/** What is written for a person. */
export function mentionOf({ id, displayName }: Mentioned): string {
  return `[@${writtenName(displayName)}](person:${id})`;
}

/** The text as one reads it, with the names only. */
export function withPlainMentions(text: string): string {
  return text.replace(mention, '@$1');
}

export type Mentioned = { readonly id: string; readonly displayName: string };

/** Who is mentioned, in the order of the text, with the names as they stand there. */
export function mentionsIn(text: string): Mentioned[] {
  return [...text.matchAll(mention)].map(([, displayName = '', id = '']) => ({ id, displayName }));
}

/**
 * The opposite of `withPlainMentions`, for a text that is edited as one reads it: each `@name` of somebody known becomes a mention
 * again. Of two with the same name each stands for one, in their order.
 */
export function linkMentions(plain: string, known: readonly Mentioned[]): string {
  const left = known.map((person) => ({ ...person, written: `@${writtenName(person.displayName)}` }));
  let text = '';
  for (let at = 0; at < plain.length; ) {
    const fits = left.filter(
      ({ written }) => plain.startsWith(written, at) && !/^[\p{L}\p{M}]/u.test(plain.slice(at + written.length)),
    );
    const longest = Math.max(0, ...fits.map(({ written }) => written.length));
    const found = fits.find(({ written }) => written.length === longest);
    text += found ? mentionOf(found) : plain.charAt(at);
    at += found ? longest : 1;
    // The last of a name stays, for whoever writes it twice.
    if (found && left.filter(({ written }) => written === found.written).length > 1)
      left.splice(left.indexOf(found), 1);
  }
  return text;
}

/** The address of a mention inside Markdown. */
export const mentionScheme = 'person:';

/** The start of a name that is typed right before the caret, and where its @ stands; null when none is. */
export function mentionTyped(text: string, caret: number): { readonly from: number; readonly name: string } | null {
  const match = /(?:^|[\s(])@([\p{L}\p{M}'’.-]*(?: [\p{L}\p{M}'’.-]*)?)$/u.exec(text.slice(0, caret));
  if (!match) return null;
  const name = match[1] ?? '';
  return { from: caret - name.length - 1, name };
}
