import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { loadConfig } from '#web/api/config.ts';
import { failPage } from '#web/api/failures.ts';
import { queryClient } from '#web/api/query-client.ts';
import { viewerQuery } from '#web/api/viewer.ts';
import { markCameFromLogin } from '#web/shell/came-from.ts';
import { theme } from '#web/ui/theme.ts';
import { Toasts } from '#web/ui/toasts.tsx';
import { message, viewerWith } from '../../test/show-page.tsx';
import { makeRouter } from './router.tsx';

const config = { appName: 'Staff dashboard', appEnv: 'test', demo: false, companyTimeZone: 'Europe/Amsterdam' };

/** The application at this address. Only its configuration is answered; every other call fails. */
async function openAt(address: string) {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('fetch', async (url: string) =>
    String(url).endsWith('/config.json')
      ? Response.json({ ...config, dashboardServerUrl: '', top5ServerUrl: '', timeTracker: false })
      : Response.json({ error: { code: 'INTERNAL', message: 'Something went wrong' } }, { status: 500 }),
  );
  await loadConfig();
  // biome-ignore lint/suspicious/noDocumentCookie: this DOM has no Cookie Store.
  document.cookie = 'internal-dash-token=token';
  history.replaceState(null, '', address);
  const router = makeRouter();
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Toasts />
    </MantineProvider>,
  );
  return router;
}

const signIn = () =>
  queryClient.setQueryData(viewerQuery.queryKey, { ...viewerWith('VIEW_DASHBOARD', 'VIEW_TOOLS'), role: 'Staff' });

afterEach(() => {
  cleanup();
  queryClient.clear();
  sessionStorage.clear();
  localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = 'internal-dash-token=; max-age=0';
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const refusal = "You don't have permission for this page";

test('/error shows the refusal that led to it, and a later visit nothing old', async () => {
  signIn();
  vi.spyOn(queryClient, 'fetchQuery').mockImplementation(async () => queryClient.getQueryData(viewerQuery.queryKey));
  const router = await openAt('/usermanagement');
  await screen.findByRole('heading', { name: refusal });
  expect(location.pathname).toBe('/error');
  await router.navigate({ to: '/error' });
  await screen.findByRole('heading', { name: 'Something went wrong' });
});

test.each(['/100%', '/NOPE/%E0%A4%A'])(
  'an address with a broken percent sign is a page not found: %s',
  async (path) => {
    await openAt(path);
    await screen.findByRole('heading', { name: 'This page could not be found' });
  },
);

test('/error without a failure gives no status and asks for no request ID', async () => {
  signIn();
  vi.spyOn(queryClient, 'fetchQuery').mockImplementation(async () => queryClient.getQueryData(viewerQuery.queryKey));
  await openAt('/error');
  await screen.findByText('The details of this error are no longer available. Try again from the home page.');
  expect(screen.queryByText(/request ID/)).toBeNull();
});

test('who signs in for a page that is refused lands elsewhere and hears why', async () => {
  signIn();
  vi.spyOn(queryClient, 'fetchQuery').mockImplementation(async () => queryClient.getQueryData(viewerQuery.queryKey));
  markCameFromLogin();
  await openAt('/usermanagement');
  await message(`User Management: ${refusal}`);
});

test('while it cannot be read who is signed in, the page keeps its bar and a way to sign out', async () => {
  await openAt('/dashboard');
  await screen.findByRole('heading', { name: 'Something went wrong' });
  screen.getByRole('banner');
  screen.getByRole('link', { name: 'Sign out' });
});

const failure = new ApiError({ code: 'INTERNAL', message: 'Something went wrong', statusCode: 500 });

/** The dialog of a new person, before anything is typed. */
async function openNewPerson() {
  const viewer = { ...viewerWith('VIEW_DASHBOARD', 'USER_MANAGEMENT'), role: 'Staff' };
  queryClient.setQueryData(viewerQuery.queryKey, viewer);
  vi.spyOn(queryClient, 'fetchQuery').mockImplementation(async () => viewer);
  await openAt('/usermanagement');
  await userEvent.click(await screen.findByRole('button', { name: 'New person' }));
  return screen.findByLabelText('First name');
}

const goBack = () => userEvent.click(screen.getByRole('link', { name: 'Back to where you were' }));

test('after a failure, the way back opens the dialog that holds what was typed', async () => {
  await userEvent.type(await openNewPerson(), 'Nina');
  failPage(failure, 'Creating the person');
  await screen.findByText('Creating the person failed. Your draft is saved.');
  await goBack();
  expect(((await screen.findByLabelText('First name')) as HTMLInputElement).value).toBe('Nina');
});

test('after a failure, nothing opens or is said to be kept if nothing was typed', async () => {
  await openNewPerson();
  failPage(failure, 'Creating the person');
  await screen.findByText('Creating the person failed.');
  await goBack();
  await screen.findByRole('heading', { name: 'User Management' });
  expect(screen.queryByLabelText('First name')).toBeNull();
});
