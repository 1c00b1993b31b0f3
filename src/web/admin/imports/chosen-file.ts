import type { Sample } from './file-sample.ts';

/** The file to import, with its start, which shows its columns and format. */
export type ChosenFile = {
  /** Each choice has its own, so a file that is chosen again is read again. */
  readonly id: number;
  readonly file: File;
  readonly sample: Sample;
};
