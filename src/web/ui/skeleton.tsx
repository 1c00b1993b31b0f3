import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useConnectionLost } from './connection.ts';
import classes from './skeleton.module.css';
import { fetchDelayMs, fetchShownMs } from './timing.ts';

/**
 * Whether to show an indicator: after 200 ms, and then for at least 200 ms, so a quick answer never flickers
 * (spec 9).
 */
export function useSettledLoading(loading: boolean): boolean {
  const [shown, setShown] = useState(false);
  const shownAt = useRef(0);
  useEffect(() => {
    if (loading === shown) return undefined;
    const rest = loading ? fetchDelayMs : Math.max(0, shownAt.current + fetchShownMs - performance.now());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      timer = setTimeout(() => {
        if (loading) shownAt.current = performance.now();
        setShown(loading);
      }, rest);
    };
    // Counted from the first frame: a slowly rendering page has its answer by then, and shouldn't show a
    // skeleton.
    const frame = loading ? requestAnimationFrame(begin) : undefined;
    if (frame === undefined) begin();
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [loading, shown]);
  return shown;
}

type BlockProps = { readonly width?: number | string; readonly height?: number };

/** A gray block in the shape of the coming content. */
export function SkeletonBlock({ width = '100%', height = 14 }: BlockProps) {
  return <span className={classes.block} style={{ width, height }} />;
}

/** Placeholder rows of a loading list or table. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div className={classes.rows}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className={classes.row}>
          <SkeletonBlock width={24} height={24} />
          <SkeletonBlock width={`${52 - ((index * 17) % 30)}%`} />
        </div>
      ))}
    </div>
  );
}

type LoadingProps = {
  readonly loading: boolean;
  /** In the final shape, to avoid a layout shift. */
  readonly skeleton: ReactNode;
  readonly children: ReactNode;
};

/**
 * Nothing for 200 ms, then the skeleton, then the content. Without a connection it says so: reads are tried
 * again by themselves.
 */
export function Loading({ loading, skeleton, children }: LoadingProps) {
  const indicated = useSettledLoading(loading);
  const lost = useConnectionLost();
  if (indicated) {
    return (
      <div className={lost ? classes.lost : undefined} aria-busy="true">
        <span className={lost ? classes.reason : 'visually-hidden'} role="status">
          {lost ? 'Not loaded: no connection' : 'Loading'}
        </span>
        {skeleton}
      </div>
    );
  }
  // Keeps the height while nothing is shown.
  if (!loading) return children;
  return (
    <div className={classes.waiting} aria-busy="true">
      {skeleton}
    </div>
  );
}
