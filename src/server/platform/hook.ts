// How an area notifies an area above it: it declares a hook and calls it, and `connect-areas.ts` connects the
// handler.

export type Hook<Handlers extends object> = {
  /** Only called by `connect-areas.ts`. */
  connect(handlers: Handlers): void;
  /** Throws if nothing is connected: a change must never go through without its side effects. */
  handlers(): Handlers;
};

export function createHook<Handlers extends object>(name: string): Hook<Handlers> {
  let connected: Handlers | undefined;
  return {
    connect(handlers) {
      connected = handlers;
    },
    handlers() {
      if (!connected) throw new Error(`Nothing is connected to ${name}. Call connectAreas() first`);
      return connected;
    },
  };
}
