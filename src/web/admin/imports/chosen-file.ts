import type { Sample } from './import-calls.ts';

/** The file to import, with its start, which shows its columns and format. */
export type ChosenFile = { readonly file: File; readonly sample: Sample };
