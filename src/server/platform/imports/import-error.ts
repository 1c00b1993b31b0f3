/** Why an import cannot run at all, in one line for the person at the terminal. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** Why a row did not fit: what to look at in it, and what is wrong there. */
export type Fault = { readonly column: string; readonly reason: string };
