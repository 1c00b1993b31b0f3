// Meeting times in words: in company time, and in the viewer's if that differs.

import { type Scope, scopes } from '#core/access/brands.ts';
import { clockInZone, dayWithYear, formatInstant } from '#core/base/day-words.ts';
import { countWords } from '#core/base/formats.ts';
import type { MeetingException, Occurrence } from '#core/toolbox/meeting-times.ts';
import { config } from '#web/api/config.ts';
import type { Meeting } from './schedule-queries.ts';

export const todayInCompany = (): Temporal.PlainDate => Temporal.Now.plainDateISO(config().companyTimeZone);

/** Where a link leads, for a person to see before they follow it. */
export const hostOf = (link: string): string => URL.parse(link)?.host ?? link;

/** "23 Nov 2026: canceled" */
export function exceptionWords({ day, to }: MeetingException): string {
  return `${dayWithYear(day)}: ${to === null ? 'canceled' : `moved to ${dayWithYear(to.day)} ${to.time}`}`;
}

/** "Mon 23 Nov 10:30–11:00" */
export function whenWords({ start, end }: Pick<Occurrence, 'start' | 'end'>, zone: string): string {
  return `${formatInstant(start, zone)}–${clockInZone(end, zone)}`;
}

/** "Everyone in Connect"; without a team, "Everyone in the company" */
export const wholeTeamWords = (team: Scope | null): string =>
  `Everyone in ${team === null ? 'the company' : scopes[team].title}`;

/** "Ben Bale, Gus Green, and 198 more" */
export function attendeeWords({ attendees, attendeeCount }: Pick<Meeting, 'attendees' | 'attendeeCount'>): string {
  const more = attendeeCount - attendees.length;
  const names = attendees.map(({ displayName }) => displayName);
  return [...names, ...(more > 0 ? [`and ${countWords(more)} more`] : [])].join(', ');
}
