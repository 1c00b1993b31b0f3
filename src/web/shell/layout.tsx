import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isPath, routes } from '#core/access/routes.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { DefaultLayout } from './default-layout.tsx';
import { useDocumentTitle } from './document-title.ts';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import barClasses from './top-bar.module.css';
import { ViewingBanner } from './viewing-banner.tsx';

/**
 * The layout for this address, from core/routes. An unknown address has no navigation; a refused page keeps
 * it. The root passes the bell in, because notifications are above the shell.
 */
export function Layout({ bell }: { bell: ReactNode }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  // Without knowing who is signed in there is no navigation to draw, but still a top bar.
  const { isLoadingError: unknown, data: viewer } = useQuery({ ...viewerQuery, enabled: false });
  const refusedPage = useRouterState({ select: ({ resolvedLocation: at }) => at?.state.failure?.wanted !== undefined });
  const framed =
    isPath(path) && !unknown && (routes[path].layout === 'default' || (refusedPage && viewer !== undefined));
  return (
    <>
      <ProgressBar />
      {framed ? (
        <DefaultLayout bell={bell}>
          <Outlet />
        </DefaultLayout>
      ) : (
        <NavlessLayout>
          <Outlet />
        </NavlessLayout>
      )}
    </>
  );
}

/** Only a top bar, for pages outside the navigation. */
function NavlessLayout({ children }: { children: ReactNode }) {
  useDocumentTitle();
  return (
    <div className={classes.navless}>
      <header className={barClasses.bar}>
        <Logo />
      </header>
      <ViewingBanner />
      <main className={classes.content}>{children}</main>
    </div>
  );
}
