// One row of an export as it was read, or why it could not be.
import type { Row } from './mapping-rules.ts';

export type SourceRow = {
  readonly line: number;
  /** The row as it stands in the file, for the report. */
  readonly text: string;
  readonly row: Row | null;
  /** Why there is no row. */
  readonly fault?: string;
};
