// What the address of the role editor may say.
// Asked by the web's router and by whatever links to it.
import * as z from 'zod/mini';
import { id } from '../base/inputs.ts';
import { searchSchema } from '../base/search.ts';

export const roleEditorSearch = searchSchema({
  tab: z.enum(['roles', 'doctor']),
  /** The role that is open beside the matrix. */
  role: id,
  /** What the permission doctor is asked about: a person, and a page with its product. */
  person: id,
  page: z.string(),
});
