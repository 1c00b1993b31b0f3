// Defines mentions in notes: a link that names the person by id, `[@Anna Berg](person:12)`. Used by the
// server, which notifies the mentioned people, and by the web, which writes and shows them.

import { limits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

const mention = /\[@([^\]\n]{1,200})\]\(person:([1-9]\d{0,17})\)/g;

/** A limit against mentioning a whole company, in one text or by edits of it. */
export const mostMentions = 20;

/** The people that the text mentions, each once. */
export function mentionedIn(text: string): string[] {
  return [...new Set(mentionsIn(text).map(({ id }) => id))];
}

/**
 * `earlier`: the people that earlier texts of the note notified. `before`: those in the text before an edit,
 * in any number if it is older than the limit.
 */
export function mentionsRefusal(
  mentioned: readonly string[],
  earlier: readonly string[],
  before: readonly string[],
): Refusal | null {
  if (mentioned.every((id) => before.includes(id))) return null;
  if (mentioned.length > mostMentions) return badText(`A note can mention up to ${mostMentions} people`);
  if (new Set([...mentioned, ...earlier]).size <= mostMentions) return null;
  return badText(`This note already notified ${earlier.length} people, and a note can notify up to ${mostMentions}`);
}

/** A name must not end its link. */
const writtenName = (name: string): string => name.replace(/[[\]\\\n]/g, ' ').trim();

/** The mention's text for a person. */
export function mentionOf({ id, displayName }: Mentioned): string {
  return `[@${writtenName(displayName)}](person:${id})`;
}

/**
 * The text with each mention under its person's name, whatever was typed, or why it's refused. A mention of
 * nobody in `people` is plain text, unless it was the same in the text before.
 */
export function nameMentions(text: string, people: readonly Mentioned[], before: string | null): string | Refusal {
  const names = new Map(people.map((person) => [person.id, mentionOf(person)]));
  const withNames = (one: string) =>
    one.replace(
      mention,
      (typed: string, name: string, id: string) => names.get(id) ?? (before?.includes(typed) ? typed : `@${name}`),
    );
  const named = withNames(text);
  // What a mention leaves behind can be part of another one.
  if (withNames(named) !== named) return badText('One mention is inside another. Remove one of them');
  return named.length <= limits.note
    ? named
    : badText('With the names of the people it mentions, this note is too long. Shorten it');
}

const badText = (message: string): Refusal => refuse('BAD_INPUT', message, { field: 'text' });

/** The text with plain names, for reading. */
export function withPlainMentions(text: string): string {
  return text.replace(mention, '@$1');
}

export type Mentioned = { readonly id: string; readonly displayName: string };

/** The mentioned people in the text's order, with their names in it. */
export function mentionsIn(text: string): Mentioned[] {
  return [...text.matchAll(mention)].map(([, displayName = '', id = '']) => ({ id, displayName }));
}

/**
 * The inverse of `withPlainMentions`, for an edited text: each `@name` of a known person becomes a mention.
 * People with the same name are matched in order.
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
    // Keeps the last person with a name, in case it is written twice.
    if (found && left.filter(({ written }) => written === found.written).length > 1)
      left.splice(left.indexOf(found), 1);
  }
  return text;
}

/** A mention's URL scheme in Markdown. */
export const mentionScheme = 'person:';

/** The start of the name being typed before the caret, and the position of its @; null if none. */
export function mentionTyped(text: string, caret: number): { readonly from: number; readonly name: string } | null {
  const match = /(?:^|[\s(])@([\p{L}\p{M}'’.-]*(?: [\p{L}\p{M}'’.-]*)?)$/u.exec(text.slice(0, caret));
  if (!match) return null;
  const name = match[1] ?? '';
  return { from: caret - name.length - 1, name };
}
