// Whether the server is in reach. The layouts show a banner while it is not; reads are tried again meanwhile.
import { useSyncExternalStore } from 'react';

let lost = false;
const listeners = new Set<() => void>();

export function reportConnection(state: 'lost' | 'back'): void {
  const next = state === 'lost';
  if (next === lost) return;
  lost = next;
  for (const listener of listeners) listener();
}

export const isConnectionLost = (): boolean => lost;

export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, isConnectionLost);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
