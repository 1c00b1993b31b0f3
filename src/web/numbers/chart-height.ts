import { useMediaQuery } from '@mantine/hooks';

/** Fixed, so that nothing moves when the numbers come; lower on a phone. */
export function useChartHeight(): number {
  // Read before the first paint, or the page would jump.
  return useMediaQuery('(max-width: 520px)', undefined, { getInitialValueInEffect: false }) ? 220 : 260;
}
