import { Outlet, useRouterState } from '@tanstack/react-router';
import { isPath, routes } from '#core/access/routes.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { DefaultLayout } from './default-layout.tsx';
import { NavlessLayout } from './navless-layout.tsx';

/** The frame of the page at this address, as core/routes names it. An unknown address has no navigation. */
export function Layout() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  const framed = isPath(path) && routes[path].layout === 'default';
  return (
    <>
      <ProgressBar />
      {framed ? (
        <DefaultLayout>
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
