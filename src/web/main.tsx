// The application for who is signed in. The login page is a document of its own (login-main.tsx).
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

/** The theme's attribute is ours to set (see ui/appearance.ts), and Mantine's variables are a file of the build. */
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

/** A refusal shown in place is no fault of the page. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof RefusedHere)) console.error(error);
}

/** Who it is and the code of the page are on their way while the router is made, which waits for one after the other. */
function askAhead(): void {
  void queryClient.prefetchQuery(viewerQuery);
  fetchPageAhead(location.pathname);
}

/** The core counts weeks with Temporal; older browsers get it as a chunk of its own. */
async function loadTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
}

start().catch((error: unknown) => {
  console.error('The application could not start', error);
  createRoot(document.getElementById('root')!).render(<LastResort />);
});
