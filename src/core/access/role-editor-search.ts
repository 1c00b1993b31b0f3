// The search parameters of the role editor. Used by the web's router and by links to it.
import * as z from 'zod/mini';
import { id } from '../base/inputs.ts';
import { searchSchema } from '../base/search.ts';

export const roleEditorTabs = { roles: 'Roles', doctor: 'Permission doctor' } as const;

export const roleEditorSearch = searchSchema({
  tab: z.enum(Object.keys(roleEditorTabs) as (keyof typeof roleEditorTabs)[]),
  /** The role that is open next to the matrix. */
  role: id,
  /** The permission doctor's question: a person, and a page with its product. */
  person: id,
  page: z.string(),
});
