// A page, or a part of one, in a DOM without a browser: real router, real cache, and a server that answers as
// the test says.
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { onTestFinished, vi } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import type { RefusalCode } from '#core/base/refusals.ts';
import { type Config, loadConfig } from '#web/api/config.ts';
import { queryClient } from '#web/api/query-client.ts';
import { signOut } from '#web/api/session.ts';
import { type SignedIn, viewerQuery } from '#web/api/viewer.ts';
import { parseSearch, writeSearch } from '#web/shell/address.ts';
import { closeShellDialog } from '#web/shell/open-dialog.ts';
import { reportConnection } from '#web/ui/connection.ts';
import { listenForShortcuts } from '#web/ui/shortcuts.ts';
import { theme } from '#web/ui/theme.ts';
import { Toasts } from '#web/ui/toasts.tsx';

// Only to end what hangs, as the other limits of the tests.
configure({ asyncUtilTimeout: 60_000 });

/** What the server says to each operation by its name; thrown with `refuse`, it is a refusal. */
type Answers = Readonly<Record<string, (variables: never, query: string) => unknown>>;

/** What a refusal is about: a field of the form, or those that someone else changed. */
type About = { readonly field?: string | undefined; readonly changed?: readonly string[] };

class Refused extends Error {
  readonly extensions: About & { readonly code: RefusalCode };
  constructor(code: RefusalCode, message: string, about: About) {
    super(message);
    this.extensions = { code, ...about };
  }
}

export function refuse(code: RefusalCode, message: string, about?: string | About): never {
  throw new Refused(code, message, typeof about === 'object' ? about : { field: about });
}

const config: Config = {
  appName: 'Staff dashboard',
  appEnv: 'test',
  demo: false,
  companyTimeZone: 'Europe/Amsterdam',
  dashboardServerUrl: '',
  top5ServerUrl: '',
  timeTracker: true,
  holidayClose: false,
  attachmentMegabytes: 25,
  mailsLinks: false,
};

export function viewerWith(...permissions: Permission[]): SignedIn {
  return {
    id: 'viewer',
    name: 'Viewer',
    email: 'viewer@company.test',
    role: 'Staff',
    permissions,
    approverIds: [],
    viewing: null,
  };
}

type Shown = {
  readonly viewer?: SignedIn;
  readonly address?: string;
  readonly answers?: Answers;
  /** Reads the address as the page's route does. Without it, its parts are texts. */
  readonly search?: (raw: object) => object;
};

/**
 * Draws it and gives the hands that use it. A call that `answers` does not name fails the test by its name.
 */
export async function showPage(
  page: ReactNode,
  { viewer = viewerWith(), address = '/', answers = {}, search }: Shown = {},
) {
  onTestFinished(leavePage);
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => answerTo(answers, String(url), init));
  vi.stubGlobal('WebSocket', QuietSocket);
  // This DOM has none, and nothing is measured in it.
  Object.assign(document, { fonts: new EventTarget() });
  await loadConfig();
  queryClient.setQueryData(viewerQuery.queryKey, viewer);
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <Suspense>{page}</Suspense>,
      ...(search && { validateSearch: search }),
    }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch: writeSearch,
  });
  stopListening = listenForShortcuts();
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
      <Toasts />
    </MantineProvider>,
  );
  return userEvent.setup();
}

/** What the page says happened. */
export const message = (text: string | RegExp) =>
  within(screen.getByRole('region', { name: 'Messages' })).findByText(text);

let stopListening = () => {};

/** Test files share a worker that loads this module once, so each test cleans up after itself. */
function leavePage(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Messages"] button:last-child'))
    button.click();
  cleanup();
  stopListening();
  closeShellDialog();
  reportConnection('back');
  signOut();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

async function answerTo(answers: Answers, url: string, init?: RequestInit): Promise<Response> {
  if (url.endsWith('/config.json')) return Response.json(config);
  const { query, variables } = JSON.parse(String(init?.body ?? '{}')) as { query?: string; variables?: unknown };
  const name = /^(?:query|mutation) (\w+)/.exec(query ?? '')?.[1] ?? url;
  const answer = answers[name];
  if (!answer) throw new Error(`The test says nothing about ${name}`);
  try {
    return Response.json({ data: await answer(variables as never, query ?? '') });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return Response.json({ errors: [{ message: error.message, extensions: error.extensions }] });
  }
}

/** The newest page's connection for changes by others: it stays silent until `sendChanges`. */
let socket: QuietSocket | undefined;

type Message = { readonly type: string; readonly id?: string; readonly payload?: unknown };

class QuietSocket {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  readonly readyState = QuietSocket.OPEN;
  readonly protocol = 'graphql-transport-ws';
  readonly subscription = Promise.withResolvers<string | undefined>();
  readonly notices = Promise.withResolvers<string | undefined>();
  onopen = () => {};
  onmessage = (_event: { data: string }) => {};
  constructor() {
    socket = this;
  }
  send(text: string) {
    const { type, id, payload } = JSON.parse(text) as Message;
    if (type === 'connection_init') this.say({ type: 'connection_ack' });
    const { query } = (payload ?? {}) as { query?: string };
    if (query?.includes('subscription TaskChanged')) this.subscription.resolve(id);
    if (query?.includes('subscription NoticesChanged')) this.notices.resolve(id);
  }
  say(message: Message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close() {}
}

/** Others change these tasks, and the server says so. */
export async function sendChanges(...changes: readonly { taskId: string; version: number }[]): Promise<void> {
  if (!socket) throw new Error('No page is connected');
  const { subscription } = socket;
  socket.onopen();
  const id = (await subscription.promise) as string;
  for (const taskChanged of changes) socket.say({ type: 'next', id, payload: { data: { taskChanged } } });
}

/** The viewer gets a notification, and the server says so. */
export async function sendNotice(): Promise<void> {
  if (!socket) throw new Error('No page is connected');
  const { notices } = socket;
  socket.onopen();
  const id = (await notices.promise) as string;
  socket.say({ type: 'next', id, payload: { data: { noticesChanged: true } } });
}
