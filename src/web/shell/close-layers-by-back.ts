import type { AnyRouter, RouterHistory } from '@tanstack/react-router';
import { closeTopLayer, onLayers } from '#web/ui/back-closes.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** Below the first page of a visit, for Back to stay in it while something is open. */
    isFloor?: boolean;
  }
}

type Router = { readonly history: RouterHistory; readonly navigate: AnyRouter['navigate'] };

/** Lets the browser's Back close dialogs, menus and the drawer. */
export function closeLayersByBack(router: Router): void {
  const { history } = router;
  let unblock: (() => void) | null = null;
  onLayers((isAnyOpen) => {
    unblock?.();
    unblock = null;
    if (!isAnyOpen) return;
    addFloor(router);
    unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => action === 'BACK' && closeTopLayer(),
    });
  });
  // Nothing is open anymore, so Back leaves.
  history.subscribe(({ location, action }) => {
    if (action.type === 'BACK' && location.state.isFloor && !unblock) history.back();
  });
}

/** Back from the first page would leave the application without asking the router. */
function addFloor(router: Router): void {
  const { history } = router;
  const { href, state } = history.location;
  if (history.canGoBack()) return;
  history.replace(href, { ...state, isFloor: true });
  history.flush();
  void router.navigate({ to: '.', search: true, hash: true, state: { ...state, isFloor: false }, resetScroll: false });
}
