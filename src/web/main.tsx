// The application for signed-in people. The login page is a separate document (login-main.tsx).
import '#web/ui/tokens.css';
import 'virtual:mantine-variables.css';
import '#web/ui/mantine-styles.ts';
import '@fontsource-variable/inter/wght.css';
import '#web/ui/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { loadConfig } from '#web/api/config.ts';
import { queryClient } from '#web/api/query-client.ts';
import { readToken } from '#web/api/session.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { reloadWhenChunksFail } from '#web/shell/chunk-reload.ts';
import { RefusedHere } from '#web/shell/enter.ts';
import { LastResort } from '#web/shell/last-resort.tsx';
import { leaveWithOtherTabs } from '#web/shell/leave.ts';
import { followAppearance } from '#web/ui/appearance.ts';
import { ignoreStrayClicks } from '#web/ui/double-click.ts';
import { theme } from '#web/ui/theme.ts';
import { Toasts } from '#web/ui/toasts.tsx';
import { fetchPageAhead } from './page-of-route.ts';
import { makeRouter } from './router.tsx';

/** We set the theme's attribute (see ui/appearance.ts), and Mantine's variables are a file of the build. */
const noRootElement = () => undefined;

async function start(): Promise<void> {
  reloadWhenChunksFail();
  followAppearance();
  leaveWithOtherTabs();
  ignoreStrayClicks();
  await loadTemporal();
  await loadConfig();
  if (readToken()) askAhead();
  const router = makeRouter();
  createRoot(document.getElementById('root')!, { onCaughtError }).render(
    <StrictMode>
      <ErrorBoundary FallbackComponent={LastResort}>
        <MantineProvider
          theme={theme}
          withCssVariables={false}
          withGlobalClasses={false}
          getRootElement={noRootElement}
        >
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
          <Toasts />
        </MantineProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

/** A refusal shown in place isn't the page's fault. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof RefusedHere)) console.error(error);
}

/**
 * Requests the viewer and the page's code early, while the router, which waits for one after the other, is
 * created.
 */
function askAhead(): void {
  void queryClient.prefetchQuery(viewerQuery);
  fetchPageAhead(location.pathname);
}

/** The core computes weeks with Temporal; older browsers get a polyfill chunk. */
async function loadTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
}

start().catch((error: unknown) => {
  console.error('The application could not start', error);
  createRoot(document.getElementById('root')!).render(<LastResort />);
});
