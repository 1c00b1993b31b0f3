// What every tile of a page knows: what is shown, which day it is, and how to open the rows behind a number.
import type { Place } from './behind.ts';
import type { Change, View } from './view.ts';

export type PageOfNumbers = {
  readonly view: View;
  /** The day on the company's clock. */
  readonly today: string;
  /** The currency of the numbers that are shown; null while they load, and where there is no money. */
  readonly currency: string | null;
  readonly change: (part: Change) => void;
  readonly openBehind: (metric: string, at?: readonly Place[]) => void;
};
