import { Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isPath, routes } from '#core/access/routes.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { DefaultLayout } from './default-layout.tsx';
import { useDocumentTitle } from './document-title.ts';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import barClasses from './top-bar.module.css';
import { ViewingBanner } from './viewing-banner.tsx';

/**
 * The frame of the page at this address, as core/routes names it. An unknown address has no navigation.
 * The bell comes from the root: notifications lie above the shell.
 */
export function Layout({ bell }: { bell: ReactNode }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  const framed = isPath(path) && routes[path].layout === 'default';
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

/** Only a top bar: for the pages outside the navigation. */
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
