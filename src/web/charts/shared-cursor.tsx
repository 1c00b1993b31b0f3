// One cursor for all charts of a page: pointing at a day in one shows it in the others.
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';

type Place = {
  readonly key: string | null /** The chart with the pointer or the focus. */;
  readonly owner: string | null;
};

type Store = {
  readonly read: () => Place;
  readonly move: (place: Place) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const nowhere: Place = { key: null, owner: null };

function makeStore(): Store {
  let place = nowhere;
  const listeners = new Set<() => void>();
  return {
    read: () => place,
    move: (next) => {
      if (next.key === place.key && next.owner === place.owner) return;
      place = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const Shared = createContext<Store | null>(null);

export function SharedCursor({ children }: { children: ReactNode }) {
  const [store] = useState(makeStore);
  return <Shared value={store}>{children}</Shared>;
}

/** The cursor's position, and how the chart `id` moves it. `apart` for a chart whose points aren't times. */
export function useCursorPlace(id: string, apart: boolean): [place: Place, move: (key: string | null) => void] {
  const shared = useContext(Shared);
  const [own] = useState(makeStore);
  const store = apart ? own : (shared ?? own);
  const place = useSyncExternalStore(store.subscribe, store.read);
  return [place, (key) => store.move(key === null ? nowhere : { key, owner: id })];
}
