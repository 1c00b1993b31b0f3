// Many people who read the same large thing at once share reads of it.

type Read = { isRunning: boolean; readonly answer: Promise<unknown> };

/** By what they read from, and by key. */
const reads = new WeakMap<object, Map<string, Read>>();

/**
 * One read of a key runs at a time. People who ask while it runs share the next one, because the running one
 * can miss what they saved.
 */
export function sharedRead<Answer>(source: object, key: string, read: () => Promise<Answer>): Promise<Answer> {
  const ofSource = reads.get(source) ?? new Map<string, Read>();
  reads.set(source, ofSource);
  const last = ofSource.get(key);
  if (last && !last.isRunning) return last.answer as Promise<Answer>;
  const run = async (): Promise<Answer> => {
    await last?.answer.catch(() => {});
    next.isRunning = true;
    return read().finally(() => {
      if (ofSource.get(key) === next) ofSource.delete(key);
    });
  };
  const next: Read = { isRunning: false, answer: Promise.resolve().then(run) };
  ofSource.set(key, next);
  return next.answer as Promise<Answer>;
}
