// What the addresses of guidelines, schedule, bonus and time tracker may say.
// Asked by the web's router and by whatever links to these pages.
import * as z from 'zod/mini';
import { day, id } from '../base/inputs.ts';
import { on, searchSchema } from '../base/search.ts';

export const guidelinesSearch = searchSchema({ version: id, edit: on });

export const scheduleSearch = searchSchema({
  /** Any day of the week that is shown. */
  week: day,
  whose: z.literal('mine'),
  meeting: id,
  /** Which of the meetings of a series is open. */
  day,
});

export const bonusSearch = searchSchema({ person: id, sprint: id, line: z.string() });

export const timeTrackerSearch = searchSchema({ person: id, week: day });
