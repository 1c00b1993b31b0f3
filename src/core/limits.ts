// Decides how long texts and lists may be (spec 5). Apart from the inputs that are parsed, so that what only shows a limit needs no parser.
// Asked by the inputs and the web's fields.

/** Longest texts, in UTF-16 units. */
export const limits = {
  title: 300,
  summary: 30_000,
  change: 5_000,
  note: 30_000,
  email: 254,
  password: 1_000,
  decisions: 200,
  page: 200,
  categoryFilters: 50,
} as const;
