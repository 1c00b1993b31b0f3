// The one home of the web's time limits and widths (spec 9, D35).

/** Each route in sight is fetched ahead once the open page has its answers and the browser is idle, at the latest after this long. */
export const idlePrefetchMs = 2_000;

/** A fetch indicator appears only after this long and then stays at least as long, so that nothing flickers. */
export const fetchDelayMs = 200;
export const fetchShownMs = 200;
/** So long a page that is about to be drawn waits for its first answer. */
export const firstAnswerMs = 150;

/** A chunk that cannot be loaded reloads the page, but not twice within this time. */
export const chunkReloadGuardMs = 60_000;

/** The progress bar appears after `throttleMs` and takes `durationMs` to fill. */
export const progressBar = { throttleMs: 200, durationMs: 5_000 } as const;

/** How long a toast with an Undo stays: as long as the server takes a decision back (D15). */
export const undoToastMs = 30_000;
export const toastMs = 6_000;

/** What takes the place of a pressed button acts on no press for this long: it was meant for that button. */
export const doublePressMs = 500;

/** Outside clicks close a dialog only after it has been open this long. */
export const settlingMs = 300;

/** The drawer is fixed from this width on (spec 9). Pixels, as em would move with the browser's font size. */
export const drawerFixedFrom = '(min-width: 1263px)';
