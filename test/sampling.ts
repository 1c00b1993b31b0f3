/** `npm test -- --full` runs every round, cell and row that is promised; without it tests take a sample. */
export const isFull = process.env.TESTS === 'full';

export const rounds = (sample: number, all: number): number => (isFull ? all : sample);

/** A whole number below the given one. */
export type Chooser = (below: number) => number;

/** A small generator with a fixed seed: a case that fails does so again. */
export function chooser(seed: number): Chooser {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}
