import { useRef } from 'react';

/** The last defined value: a closing panel still shows it, and returns the focus. */
export function useLatest<Value>(value: Value | undefined): Value | undefined {
  const latest = useRef(value);
  if (value !== undefined) latest.current = value;
  return latest.current;
}
