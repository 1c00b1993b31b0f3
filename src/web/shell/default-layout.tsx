import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { navigationFor } from '#core/access/navigation.ts';
import { readOnlyReason, useViewer } from '#web/api/viewer.ts';
import { drawerFixedFrom } from '#web/ui/timing.ts';
import { ReadOnlyBelow } from '#web/ui/writes.tsx';
import { Banners } from './banners.tsx';
import { useDocumentTitle } from './document-title.ts';
import { DrawerFixed, DrawerModal } from './drawer.tsx';
import { ConfirmIdentity } from './identity/confirm-identity.tsx';
import { SessionDialog } from './identity/session-dialog.tsx';
import { useIdlePrefetch } from './idle-prefetch.ts';
import classes from './layout.module.css';
import { ShellDialogs } from './shell-dialogs.tsx';
import { useInboxCount, useLiveShell } from './shell-queries.ts';
import { TopBar } from './top-bar.tsx';
import { Withheld } from './withheld.tsx';

/** The frame with the navigation: fixed from 1263 px up, below that a drawer that a button opens (spec 2). */
export function DefaultLayout({ bell, children }: { bell: ReactNode; children: ReactNode }) {
  const viewer = useViewer();
  const entries = navigationFor(viewer);
  const fixed = useMediaQuery(drawerFixedFrom, undefined, { getInitialValueInEffect: false });
  const [drawerOpen, setDrawerOpen] = useState(false);
  const inbox = useInboxCount();
  const waiting = inbox ? inbox.toApprove + inbox.toSignOff : 0;
  const content = useFocusAfterNavigation(() => setDrawerOpen(false));
  const counts = { approvals: waiting };
  useLiveShell();
  useDocumentTitle(waiting);
  useIdlePrefetch(entries);
  const toggleDrawer = () => setDrawerOpen((open) => !open);
  return (
    <ReadOnlyBelow reason={readOnlyReason(viewer)}>
      <div className={classes.shell}>
        <a className={classes.skip} href="#content">
          Skip to the content
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
        <SessionDialog email={viewer.viewing?.email ?? viewer.email} />
      </div>
    </ReadOnlyBelow>
  );
}

/** After a change of page a keyboard goes on from the content, and a reader says where it is. Not after the first one of a visit. */
function useFocusAfterNavigation(onChange: () => void) {
  const router = useRouter();
  const content = useRef<HTMLElement>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(
    () =>
      // Told, not read from its state: a first page that has come would draw the whole frame a second time.
      router.subscribe('onResolved', ({ fromLocation, pathChanged, hrefChanged }) => {
        if (!fromLocation) return;
        // Another product closes the drawer as well.
        if (hrefChanged) changed.current();
        if (pathChanged) content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return content;
}
