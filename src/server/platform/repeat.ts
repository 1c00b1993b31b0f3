/**
 * Does `work` now and at intervals, one round at a time. `work` reports its own failures and never rejects.
 * `stop` waits for the round that runs.
 */
export function repeat(everyMs: number, work: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const start = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(start, everyMs).unref();
  start();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
