/** Why an import can't run at all, in one line for the terminal. */
export class ImportError extends Error {
  override name = 'ImportError';
  /** False if it can come from where a sample of the file ends. */
  readonly isInMiddle: boolean;

  constructor(message: string, { isInMiddle = false, ...options }: ErrorOptions & { isInMiddle?: boolean } = {}) {
    super(message, options);
    this.isInMiddle = isInMiddle;
  }
}

/** Why a row was rejected: the column and what is wrong there. `field`: whose value it gives, if known. */
export type Fault = { readonly column: string; readonly reason: string; readonly field?: string };
