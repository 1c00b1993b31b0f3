/** Why an import can't run at all, in one line for the terminal. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** Why a row was rejected: the column and what is wrong there. `field`: whose value it gives, if known. */
export type Fault = { readonly column: string; readonly reason: string; readonly field?: string };
