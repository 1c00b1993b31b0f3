// Work that goes on after its request was answered. A server that stops ends it, and waits until it has
// recorded how it ended.
export class BackgroundWork {
  readonly #stopping: AbortSignal;
  readonly #running = new Set<Promise<void>>();

  /** `stopping`: aborted when the server should stop. */
  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
  }

  /** `onStop` ends the work when the server stops. Without it, something else does. */
  async run(work: Promise<void>, onStop: () => void = () => {}): Promise<void> {
    this.#running.add(work);
    this.#stopping.addEventListener('abort', onStop);
    if (this.#stopping.aborted) onStop();
    try {
      await work;
    } finally {
      this.#running.delete(work);
      this.#stopping.removeEventListener('abort', onStop);
    }
  }

  /** Resolves when nothing is running. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
