// One statement for what the fields of a list ask for one by one.
import type { RequestContext } from '../context.ts';

type Read<Value> = (context: RequestContext, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
type Batch<Value> = { readonly keys: Set<string>; readonly answer: Promise<ReadonlyMap<string, Value>> };

/** Collects the keys that one request asks for in one turn of the event loop, and answers all of them with one read. */
export function batchedRead<Value>(
  read: Read<Value>,
): (context: RequestContext, key: string) => Promise<Value | undefined> {
  const batches = new WeakMap<RequestContext, Batch<Value>>();
  const open = (context: RequestContext): Batch<Value> => {
    const keys = new Set<string>();
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const answer = turn.then(() => {
      batches.delete(context);
      return read(context, [...keys]);
    });
    const batch = { keys, answer };
    batches.set(context, batch);
    return batch;
  };
  return async (context, key) => {
    const batch = batches.get(context) ?? open(context);
    batch.keys.add(key);
    return (await batch.answer).get(key);
  };
}
