// The search parameters of guidelines, schedule, bonus and time tracker. Used by the web's router and by
// links to these pages.
import * as z from 'zod/mini';
import { day, id } from '../base/inputs.ts';
import { on, searchSchema } from '../base/search.ts';

export const guidelinesSearch = searchSchema({ version: id, edit: on });

export const scheduleSearch = searchSchema({
  /** Any day of the displayed week. */
  week: day,
  whose: z.literal('mine'),
  meeting: id,
  /** Which meeting of a series is open. */
  day,
  /** Opens the calendar feeds, once. */
  feeds: on,
});

export const bonusSearch = searchSchema({ person: id, sprint: id, line: z.string() });

export const timeTrackerSearch = searchSchema({ person: id, week: day });
