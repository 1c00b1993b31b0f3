// The routes of core/routes as pages: guard, page, layout.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { type FunctionComponent, lazy, useState } from 'react';
import { errorPath, type Path, paths, withoutTrailingSlash } from '#core/access/routes.ts';
import { everyPageSearch } from '#core/base/search.ts';
import { openDrafts } from '#web/api/drafts.ts';
import { onFailure } from '#web/api/failures.ts';
import { markFirstPageShown } from '#web/api/first-frame.ts';
import { NoticeBell } from '#web/notifications/notice-bell.tsx';
import { parseSearch, writeSearch } from '#web/shell/address.ts';
import { closeLayersByBack } from '#web/shell/close-layers-by-back.ts';
import { enter } from '#web/shell/enter.ts';
import { LastResort } from '#web/shell/last-resort.tsx';
import { Layout } from '#web/shell/layout.tsx';
import { NotFoundPage, RouteFailure } from '#web/shell/route-failure.tsx';
import { failProgress, finishProgress, startProgress } from '#web/ui/progress-bar.tsx';
import { type PageLoader, pageOfRoute, searchOfRoute } from './page-of-route.ts';

/** The router prefetches a page by `preload`. A failed load is retried the next time. */
function lazyPage(load: PageLoader) {
  let loading: ReturnType<PageLoader> | undefined;
  let loaded: FunctionComponent | undefined;
  const preload = () => {
    loading ??= load().then(
      (page) => {
        loaded = page.default;
        return page;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const Waited = lazy(preload);
  const Page = () => {
    // A lazy component suspends even when it is loaded, and React then reveals nothing for 300 ms: half of a
    // page load.
    const [Shown] = useState(() => loaded ?? Waited);
    return <Shown />;
  };
  return Object.assign(Page, { preload: async () => void (await preload()) });
}

const Frame = () => <Layout bell={<NoticeBell />} />;

const root = createRootRoute({
  validateSearch: everyPageSearch,
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteFailure,
});

const routeOf = <At extends Path>(path: At) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: searchOfRoute[path],
    component: lazyPage(pageOfRoute[path]),
    // The error page's own failure has its own texts (spec 2).
    errorComponent: path === errorPath ? LastResort : RouteFailure,
    beforeLoad: async ({ location, cause }) => {
      if (cause !== 'preload') await enter(location.pathname, parseSearch(location.searchStr));
    },
  });

/** By path, so the compiler knows each page's search parameters wherever something links to it. */
const routes = Object.fromEntries(paths.map((path) => [path, routeOf(path)])) as {
  [At in Path]: ReturnType<typeof routeOf<At>>;
};

/** The router can't remove a trailing slash without looping; this runs before it (spec 2). */
function removeTrailingSlash(): void {
  const trimmed = withoutTrailingSlash(location.pathname + location.search);
  if (trimmed !== null) history.replaceState(history.state, '', trimmed + location.hash);
}

export function makeRouter() {
  removeTrailingSlash();
  const router = createRouter({
    routeTree: root.addChildren(routes),
    caseSensitive: true,
    parseSearch,
    stringifySearch: writeSearch,
    scrollRestoration: true,
    defaultPendingMinMs: 0,
    // The progress bar shows loading; the previous page stays until the next one is ready.
    defaultPendingMs: Number.POSITIVE_INFINITY,
  });
  closeLayersByBack(router);
  router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && startProgress());
  router.subscribe('onResolved', finishProgress);
  router.subscribe('onResolved', markFirstPageShown);
  onFailure((failure) => {
    failProgress();
    const drafts = openDrafts();
    const { href, state } = router.history.location;
    // The browser's Back opens them again, too.
    if (drafts.length > 0) {
      router.history.replace(href, { ...state, drafts }, { ignoreBlocker: true });
      // The navigation would replace it before the browser hears of it.
      router.history.flush();
    }
    void router.navigate({ to: errorPath, state: { failure: { ...failure, drafts } } });
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
