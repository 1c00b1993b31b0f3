// Whether the server is reachable. Layouts show a banner while it isn't; reads are retried.
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
  return useSyncExternalStore(onConnectionChange, isConnectionLost);
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
