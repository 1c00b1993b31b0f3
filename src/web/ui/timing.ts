// The web's time limits and widths (spec 9, D35).

/**
 * Visible routes are prefetched when the open page has its data and the browser is idle, at the latest after
 * this time.
 */
export const idlePrefetchMs = 2_000;

/** A loading indicator appears after this time and stays at least as long, to avoid flicker. */
export const fetchDelayMs = 200;
export const fetchShownMs = 200;
/** How long a new page waits for its first answer before it is shown. */
export const firstAnswerMs = 150;

/** A failed chunk reloads the page, but not twice within this time. */
export const chunkReloadGuardMs = 60_000;

/** The progress bar appears after `throttleMs` and takes `durationMs` to fill. */
export const progressBar = { throttleMs: 200, durationMs: 5_000 } as const;

/** The server is asked once typing pauses for this long. */
export const typingPauseMs = 200;

/** A question that opens while someone types takes the focus after a pause this long. */
export const typingEndMs = 1_000;
/** How long it takes someone who is typing to notice an unexpected question. */
export const noticedMs = 600;

/** How long a toast with an Undo stays: as long as the server can undo a decision (D15). */
export const undoToastMs = 30_000;
export const toastMs = 6_000;

/** An element that replaces a pressed button ignores presses for this long. */
export const doublePressMs = 500;

/** Outside clicks close a dialog only after it has been open this long. */
export const settlingMs = 300;

/** The drawer is fixed from this width (spec 9). Pixels, because em depends on the browser's font size. */
export const drawerFixedFrom = '(min-width: 1263px)';

/** From this width, a peek opens beside its page instead of over it. */
export const peekFrom = '(min-width: 1200px)';

/** From this width, all columns of a board fit beside a peek. */
export const wholeBoardFrom = '(min-width: 1812px)';
