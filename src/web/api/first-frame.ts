// What the frame around a page asks for comes after the page itself: on a slow phone a question costs as much time as a tile.

let drawn: () => void = () => {};
/** The first page of this visit is in sight. */
export const firstFrame = new Promise<void>((resolve) => {
  drawn = resolve;
});

/** A tab in the background draws no frames. */
const longestWaitMs = 500;

/** The first page of this visit stands in the document: what waits for it goes on behind the frame that shows it. */
export function tellFirstPage(): void {
  requestAnimationFrame(() => setTimeout(drawn));
  setTimeout(drawn, longestWaitMs);
}

type Asked = { readonly signal: AbortSignal };

/** Asks once the first page of this visit is in sight. */
export const behindFirstPage =
  <Data>(ask: (asked: Asked) => Promise<Data>) =>
  async (asked: Asked): Promise<Data> => {
    await firstFrame;
    return ask(asked);
  };
