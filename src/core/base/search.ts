// The search parameters of addresses. Each page's schema uses this. Used by the web's router, which parses
// every address with it.
import * as z from 'zod/mini';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type Forgiving<Shape extends Fields> = { [Key in keyof Shape]: z.ZodMiniCatch<z.ZodMiniOptional<Shape[Key]>> };

/** Every field is optional, and an invalid value counts as missing: no address leads to an error page. */
export function searchSchema<Shape extends Fields>(fields: Shape) {
  const forgiving = Object.entries(fields).map(([name, field]) => [name, z.catch(z.optional(field), undefined)]);
  return z.object(Object.fromEntries(forgiving) as Forgiving<Shape>);
}

/** A switch: on, or absent. */
export const on = z.literal('1');

/** Links in mails open the notification settings on any page. */
export const everyPageSearch = searchSchema({ dialog: z.literal('notices') });
