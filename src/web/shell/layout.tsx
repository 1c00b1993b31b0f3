import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { isPath, routes } from '#core/access/routes.ts';
import { isWithheld } from '#core/access/viewing.ts';
import { config } from '#web/api/config.ts';
import { readOnlyReason, signInEmail, useViewer, viewerQuery } from '#web/api/viewer.ts';
import { stopViewing } from '#web/api/viewing.ts';
import { isViewing } from '#web/api/viewing-tab.ts';
import { useConnectionLost } from '#web/ui/connection.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { keepPlaceOfFocus } from '#web/ui/focus-next.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { OpenedLate } from '#web/ui/opened-late.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { drawerFixedFrom } from '#web/ui/timing.ts';
import { ReadOnlyBelow } from '#web/ui/writes.tsx';
import { ConfirmIdentity } from './identity/confirm-identity.tsx';
import { SessionDialog } from './identity/session-dialog.tsx';
import { loadWhenIdle, useIdlePrefetch } from './idle.ts';
import classes from './layout.module.css';
import { Logo } from './logo.tsx';
import { type Counts, Navigation } from './navigation.tsx';
import { usePageTitle } from './page-title.ts';
import { ShellDialogs } from './shell-dialogs.tsx';
import { useInboxCount, useLiveShell } from './shell-queries.ts';
import barClasses from './top-bar.module.css';
import { TopBar } from './top-bar.tsx';
import banner from './viewing-banner.module.css';

/** Shows on every page who this tab views as, and a way out. */
function ViewingBanner() {
  const viewing = isViewing();
  const { data } = useQuery({ ...viewerQuery, enabled: viewing });
  const [leaving, setLeaving] = useState(false);
  // Stays until the page is left, because it still shows the other person's data.
  if (!viewing && !leaving) return null;
  const look = data?.viewing;
  const stop = () => {
    setLeaving(true);
    void stopViewing();
  };
  return (
    <section className={banner.banner} aria-label="Viewing as">
      <IconEye size={16} stroke={1.7} aria-hidden="true" />
      <p>
        {look ? (
          <>
            Viewing as {look.kind === 'role' ? 'the role ' : ''}
            <strong>{look.as}</strong>
            <span className={banner.more}> · You are {look.by}. You can’t change anything.</span>
          </>
        ) : (
          'Viewing as someone else'
        )}
      </p>
      <Button size="compact-sm" variant="default" onClick={stop} loading={leaving}>
        Stop viewing
      </Button>
    </section>
  );
}

/** "(3) Approvals · Staff dashboard": shows the waiting count in other tabs too. */
function useDocumentTitle(waiting = 0): void {
  const title = usePageTitle();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${config().appName}`;
  }, [title, waiting]);
}

/** The layout with navigation: fixed from 1263 px, below that a drawer opened by a button (spec 2). */
function DefaultLayout({ bell, children }: { bell: ReactNode; children: ReactNode }) {
  const viewer = useViewer();
  const entries = navigationFor(viewer);
  const fixed = useMediaQuery(drawerFixedFrom, undefined, { getInitialValueInEffect: false });
  const [drawerOpen, setDrawerOpen] = useState(false);
  const inbox = useInboxCount();
  const waiting = inbox ? inbox.toApprove + inbox.toSignOff : 0;
  const content = useFocusAfterNavigation(() => setDrawerOpen(false));
  const counts = { approvals: waiting };
  useEffect(keepPlaceOfFocus, []);
  useLiveShell();
  useDocumentTitle(waiting);
  useIdlePrefetch(entries);
  const toggleDrawer = () => setDrawerOpen((open) => !open);
  return (
    <ReadOnlyBelow reason={readOnlyReason(viewer)}>
      <div className={classes.shell}>
        <a className={classes.skip} href="#content">
          Skip to content
        </a>
        <TopBar onToggleDrawer={fixed ? null : toggleDrawer} drawerOpen={drawerOpen} bell={bell} />
        {fixed ? (
          <DrawerFixed entries={entries} counts={counts} />
        ) : (
          <DrawerModal entries={entries} counts={counts} opened={drawerOpen} onClose={() => setDrawerOpen(false)} />
        )}
        <div className={classes.column}>
          <Banners />
          <main id="content" className={classes.content} tabIndex={-1} ref={content}>
            <Withheld>{children}</Withheld>
          </main>
        </div>
        <ShellDialogs viewer={viewer} onToggleDrawer={fixed ? null : toggleDrawer} />
        <ConfirmIdentity email={viewer.email} />
        <SessionDialog email={signInEmail(viewer)} />
      </div>
    </ReadOnlyBelow>
  );
}

/**
 * After a page change, focuses the content, and screen readers announce the page, unless the page has put the
 * focus into an open panel. Skips the first page of a visit.
 */
function useFocusAfterNavigation(onChange: () => void) {
  const router = useRouter();
  const content = useRef<HTMLElement>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(
    () =>
      // Subscribed instead of read from state: the first page's arrival would render the whole layout again.
      router.subscribe('onResolved', ({ fromLocation, pathChanged, hrefChanged }) => {
        if (!fromLocation) return;
        // Choosing another product closes the drawer too.
        if (hrefChanged) changed.current();
        if (pathChanged && !document.activeElement?.closest('[data-peek]'))
          content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return content;
}

/**
 * Banners for every page. A lost connection is announced politely: input stays, and reads continue by
 * themselves.
 */
function Banners() {
  const lost = useConnectionLost();
  return (
    <>
      <ViewingBanner />
      <aside aria-label="Notifications">
        {config().demo && <p className={classes.demo}>Demo company: all data here is made up</p>}
        <div role="status" className={classes.connection}>
          {lost && <p className={classes.lost}>Connection lost. Reconnecting…</p>}
        </div>
      </aside>
    </>
  );
}

const loadDrawer = () => import('./drawer-modal.tsx');
const LazyDrawer = lazyPart(loadDrawer, (module) => module.DrawerModal);

type DrawerProps = { readonly entries: readonly VisibleEntry[]; readonly counts: Counts };

function DrawerFixed({ entries, counts }: DrawerProps) {
  return (
    <aside className={classes.fixed}>
      <Navigation entries={entries} counts={counts} />
    </aside>
  );
}

type DrawerModalProps = DrawerProps & { readonly opened: boolean; readonly onClose: () => void };

/** Below 1263 px. */
function DrawerModal(props: DrawerModalProps) {
  useEffect(() => loadWhenIdle(loadDrawer), []);
  return (
    <OpenedLate opened={props.opened} onFail={props.onClose}>
      <LazyDrawer {...props} />
    </OpenedLate>
  );
}

/** A page that opens for the role but that the viewer can't read: shows a notice and requests nothing. */
function Withheld({ children }: { children: ReactNode }) {
  const viewer = useViewer();
  const title = usePageTitle();
  const path = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname });
  const search = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).search as { product?: string },
  });
  const { viewing } = viewer;
  if (!viewing || !isPath(path) || !isWithheld(viewer, viewing.readable, path, search.product ?? null)) return children;
  return (
    <>
      <PageHead title={title} sentence={`The role ${viewing.as} can open this page.`} />
      <Panel flush>
        <EmptyState title="You don’t have access to this page">
          People with this role see content here. Viewing as a role never shows you more than you can see yourself.
        </EmptyState>
      </Panel>
    </>
  );
}

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
