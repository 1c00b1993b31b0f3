// Loads all keys with one statement: for fields of a list, or for requests that arrive together.

type Read<Context, Value> = (context: Context, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
type Batch<Value> = { readonly keys: Set<string>; readonly answer: Promise<ReadonlyMap<string, Value>> };

/**
 * Collects the keys requested in one turn of the event loop and answers all of them with one read, which
 * starts after the last key came. Only keys with the same `sharedBy` share a read. While `most` of them run,
 * the next one keeps collecting.
 */
export function batchedRead<Context extends object, Value>(
  read: Read<Context, Value>,
  sharedBy: (context: Context) => object = (context) => context,
  most = Number.POSITIVE_INFINITY,
): (context: Context, key: string) => Promise<Value | undefined> {
  const batches = new WeakMap<object, Batch<Value>>();
  const ends = new WeakMap<object, Set<Promise<void>>>();
  const place = async (sharing: object): Promise<Set<Promise<void>>> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const running = ends.get(sharing) ?? new Set<Promise<void>>();
    ends.set(sharing, running);
    while (running.size >= most) await Promise.race(running);
    return running;
  };
  const open = (context: Context): Batch<Value> => {
    const keys = new Set<string>();
    const answer = place(sharedBy(context)).then((running) => {
      batches.delete(sharedBy(context));
      const values = read(context, [...keys]);
      const end = values.then(
        () => {},
        () => {},
      );
      running.add(end);
      void end.then(() => running.delete(end));
      return values;
    });
    const batch = { keys, answer };
    batches.set(sharedBy(context), batch);
    return batch;
  };
  return async (context, key) => {
    const batch = batches.get(sharedBy(context)) ?? open(context);
    batch.keys.add(key);
    return (await batch.answer).get(key);
  };
}
