import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './skeleton.module.css';
import { fetchDelayMs, fetchShownMs } from './timing.ts';

/**
 * Whether an indicator shows: not before 200 ms have passed, and then for at least 200 ms, so that a quick answer never
 * flickers (spec 9).
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
    // Counted from the first frame: a page that takes long to draw has its answer by then, and would keep it behind a skeleton.
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

/** A grey block in the shape of what is to come. */
export function SkeletonBlock({ width = '100%', height = 14 }: BlockProps) {
  return <span className={classes.block} style={{ width, height }} />;
}

/** Rows of a list or table that is on its way. */
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
  /** In the final shape, so that nothing moves when the content comes. */
  readonly skeleton: ReactNode;
  readonly children: ReactNode;
};

/** Nothing for 200 ms, then the skeleton, then the content. */
export function Loading({ loading, skeleton, children }: LoadingProps) {
  const indicated = useSettledLoading(loading);
  if (indicated) {
    return (
      <div aria-busy="true">
        <span className="visually-hidden" role="status">
          Loading
        </span>
        {skeleton}
      </div>
    );
  }
  // Keeps the height for the moment in which nothing shows.
  if (!loading) return children;
  return (
    <div className={classes.waiting} aria-busy="true">
      {skeleton}
    </div>
  );
}
