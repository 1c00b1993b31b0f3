// A second press of the same button, before the first one has its answer, gets that answer.
let last: { readonly key: string; readonly running: Promise<unknown> } | null = null;

/** Runs what the key stands for, or joins the run that is under way. One that something else came after is not the same press. */
export function joinInFlight<Answer>(key: string, run: () => Promise<Answer>): Promise<Answer> {
  if (last?.key === key) return last.running as Promise<Answer>;
  const started = { key, running: run() };
  last = started;
  const end = () => {
    if (last === started) last = null;
  };
  started.running.then(end, end);
  return started.running;
}
