// What a fault is: something that goes wrong outside the product, done to it on purpose, and what must still
// be true.

export type Asked = {
  /** How often it happens. */
  readonly count: number;
  /** What is left to chance follows from it. */
  readonly seed: number;
  /** A line of progress. */
  say(line: string): void;
};

export type Outcome = {
  readonly figures: Readonly<Record<string, number | string>>;
  /** What did not hold, in words; empty where all did. */
  readonly failures: readonly string[];
};

export type Fault = {
  /** As the table of promises names it: `F1`. */
  readonly id: string;
  readonly title: string;
  /** What `count` counts: kills, restarts, minutes. */
  readonly unit: string;
  /** Whether each is a trial that can fail, which makes n successes meaningful. */
  readonly trials: boolean;
  readonly counts: { readonly short: number; readonly full: number };
  /** Throws CannotRun where this machine lacks something that it needs. */
  run(asked: Asked): Promise<Outcome>;
};

export class CannotRun extends Error {
  override name = 'CannotRun';
  readonly needs: string;
  constructor(needs: string) {
    super(`needs ${needs}`);
    this.needs = needs;
  }
}
