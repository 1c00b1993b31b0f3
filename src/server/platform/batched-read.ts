// Loads all keys with one statement: for fields of a list, or for requests that arrive together.

type Read<Context, Value> = (context: Context, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
type Batch<Value> = { readonly keys: Set<string>; readonly answer: Promise<ReadonlyMap<string, Value>> };

/**
 * Collects the keys requested in one turn of the event loop and answers all of them with one read, which
 * starts after the last key came. Only keys with the same `sharedBy` share a read.
 */
export function batchedRead<Context extends object, Value>(
  read: Read<Context, Value>,
  sharedBy: (context: Context) => object = (context) => context,
): (context: Context, key: string) => Promise<Value | undefined> {
  const batches = new WeakMap<object, Batch<Value>>();
  const open = (context: Context): Batch<Value> => {
    const keys = new Set<string>();
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const answer = turn.then(() => {
      batches.delete(sharedBy(context));
      return read(context, [...keys]);
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
