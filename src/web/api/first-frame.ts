// The layout's requests wait for the page: on a slow phone a request takes as long as a tile.

let resolveFirstFrame: () => void = () => {};
/** Resolves when the visit's first page is visible. */
export const firstFrame = new Promise<void>((resolve) => {
  resolveFirstFrame = resolve;
});

/** Background tabs render no frames. */
const longestWaitMs = 500;

/** The visit's first page is in the document: waiting work continues after the frame that shows it. */
export function markFirstPageShown(): void {
  requestAnimationFrame(() => setTimeout(resolveFirstFrame));
  setTimeout(resolveFirstFrame, longestWaitMs);
}

type Asked = { readonly signal: AbortSignal };

/** Runs the query once the visit's first page is visible. */
export const afterFirstPage =
  <Data>(ask: (asked: Asked) => Promise<Data>) =>
  async (asked: Asked): Promise<Data> => {
    await firstFrame;
    return ask(asked);
  };
