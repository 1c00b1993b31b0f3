import type { Sample } from './import-calls.ts';

/** The file that is to be imported, with its beginning, from which columns and format are told. */
export type ChosenFile = { readonly file: File; readonly sample: Sample };
