// What the search part of an address may say. Each page's schema is built with it and stands with its topic.
// Asked by the web's router, which parses every address with it.
import * as z from 'zod/mini';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type Forgiving<Shape extends Fields> = { [Key in keyof Shape]: z.ZodMiniCatch<z.ZodMiniOptional<Shape[Key]>> };

/** Every field is optional, and a wrong value counts as missing: no address leads to an error page. */
export function searchSchema<Shape extends Fields>(fields: Shape) {
  const forgiving = Object.entries(fields).map(([name, field]) => [name, z.catch(z.optional(field), undefined)]);
  return z.object(Object.fromEntries(forgiving) as Forgiving<Shape>);
}

/** A switch: on in the address, or not named at all. */
export const on = z.literal('1');

/** Pages of a list, counted from 1. */
export const pageNumber = z.coerce.number().check(z.int(), z.minimum(1));

/** Links in mails open the notification settings on whatever page they lead to. */
export const everyPageSearch = searchSchema({ dialog: z.literal('notices') });
