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

/** How much one task may hold, and one person in a sprint, so that it can always be read in one answer. */
export const taskLimits = {
  notes: 200,
  /** Characters of all notes that are shown. */
  noteText: 1_000_000,
  files: 100,
  /** Edits, notes and files; each is a line of the history. */
  edits: 1_000,
  /** All changes: decisions and moves stay possible when the edits are used up. */
  changes: 2_000,
  /** From this many characters on, a change counts against `historyText`. */
  longChange: 2_000,
  /** Bytes of the texts in the history. */
  historyText: 6_000_000,
  /** Of one person. */
  tasksInSprint: 10_000,
} as const;
