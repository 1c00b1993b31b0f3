import { useRef } from 'react';

/** The latest value that was one: a panel that closes still shows it, and gives the focus back. */
export function useLatest<Value>(value: Value | undefined): Value | undefined {
  const latest = useRef(value);
  if (value !== undefined) latest.current = value;
  return latest.current;
}
