// What every tile of a page knows: what is shown, which day it is, and how to open the rows behind a number.
import type { Place } from './behind.ts';
import type { Change, View } from './view.ts';

export type PageOfNumbers = {
  readonly view: View;
  /** The day on the company's clock. */
  readonly today: string;
  readonly change: (part: Change) => void;
  readonly openDrillDown: (metric: string, at?: readonly Place[]) => void;
};
