// A second press of the same button, before the first one has its answer, gets that answer.
const inFlight = new Map<string, Promise<unknown>>();

/** Runs what the key stands for, or joins the run that is under way. */
export function joinInFlight<Answer>(key: string, run: () => Promise<Answer>): Promise<Answer> {
  const running = inFlight.get(key) as Promise<Answer> | undefined;
  if (running) return running;
  const started = run().finally(() => inFlight.delete(key));
  inFlight.set(key, started);
  return started;
}
