// How an area tells an area above it: it declares a hook and calls it, and `connect-areas.ts` says what answers.

export type Hook<Handlers extends object> = {
  /** Called by `connect-areas.ts` alone. */
  connect(handlers: Handlers): void;
  /** Throws when nothing is connected: a change must never go on without what belongs to it. */
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
