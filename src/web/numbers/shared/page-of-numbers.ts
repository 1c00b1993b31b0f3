// What every tile of a page knows: the view, today, and how to open a number's rows.
import type { View } from '#web/api/number-view.ts';
import type { Place } from './drill-down.ts';
import type { Change } from './view.ts';

export type PageOfNumbers = {
  readonly view: View;
  /** The day in company time. */
  readonly today: string;
  readonly change: (part: Change) => void;
  readonly openDrillDown: (metric: string, at?: readonly Place[]) => void;
};
