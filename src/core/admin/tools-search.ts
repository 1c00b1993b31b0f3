// The search parameters of the tools, shared by its tabs. Used by the web's router and by links to the tools.
import * as z from 'zod/mini';
import { searchSchema } from '../base/search.ts';
import { auditFilterInput } from './audit-log.ts';

export const toolsSearch = searchSchema({
  tab: z.enum(['tools', 'sprints', 'import', 'audit', 'settings']),
  find: z.string(),
  /** The year of the sprint calendar. */
  year: z.coerce.number().check(z.int(), z.minimum(1900), z.maximum(2099)),
  ...auditFilterInput.shape,
});
