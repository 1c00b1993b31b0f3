import { Outlet, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isPath, routes } from '#core/access/routes.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { DefaultLayout } from './default-layout.tsx';
import { NavlessLayout } from './navless-layout.tsx';

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
