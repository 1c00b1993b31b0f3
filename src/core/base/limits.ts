// The length limits of texts and lists (spec 5). Separate from the inputs, so showing a limit needs no
// parser. Used by the inputs and the web's fields.

/** The longest texts, in UTF-16 units. */
export const limits = {
  title: 300,
  summary: 30_000,
  change: 5_000,
  note: 30_000,
  learned: 2_000,
  email: 254,
  password: 1_000,
  decisions: 200,
  page: 200,
  categoryFilters: 50,
  search: 200,
  /** Results of one kind in one response to a search. */
  found: 20,
} as const;

/** How much one task, and one person's sprint, can contain: everything must fit into one answer. */
export const taskLimits = {
  /** Of the owner, or of everyone else: neither silences the other. */
  notes: 200,
  /** One author's, in all tasks: more than anyone writes, so nobody floods their readers' notifications. */
  notesInHour: 100,
  /** Characters of the visible notes, of the owner or of everyone else. */
  noteText: 500_000,
  /** Visible ones, of the owner or of everyone else. */
  files: 100,
  /** Bytes of all files one person attaches within 24 hours, removed ones too: nobody fills the disk. */
  fileBytesADay: 2_000_000_000,
  /** Edits, notes and files, of the owner or of everyone else: nobody else uses up what the owner needs. */
  edits: 1_000,
  /** All changes but decisions: moves stay possible when the edits are used up. */
  changes: 2_000,
  /** Decisions that their deciders undid, or steps that the owner undid. */
  undone: 20,
  /** A longer change counts against `historyText`. */
  longChange: 100,
  /** Bytes of the history's texts, of the owner or of everyone else. An answer can take twice as many. */
  historyText: 2_000_000,
  /** One person's, with those they withdrew: more than anyone plans, so nobody floods their approver. */
  tasksInSprint: 500,
  /** Created by one person for others: more than anyone plans, so nobody floods their people. */
  tasksForOthersInHour: 60,
  /** One person's: more than anyone keeps up with, so nobody fills all their coming sprints. */
  repeating: 20,
} as const;

/**
 * Whether half of a limit is used. From there on, only a session with a recent proof goes on: a stolen token
 * must not use it all up.
 */
export const isHalfUsed = (used: number, limit: number): boolean => used >= limit / 2;
