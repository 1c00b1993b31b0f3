// One row of an export, or why it couldn't be read.
import type { Row } from './mapping-rules.ts';

export type SourceRow = {
  readonly line: number;
  /** The row's original text, for the report. */
  readonly text: string;
  readonly row: Row | null;
  /** Why there is no row. */
  readonly fault?: string;
  /** Why the line is none of the rows, and nothing is wrong with it. */
  readonly aside?: string;
};
