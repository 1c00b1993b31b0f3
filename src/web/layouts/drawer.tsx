import { Drawer } from '@mantine/core';
import type { VisibleEntry } from '#core/navigation.ts';
import { useScrollLock } from '#web/ui/scroll-lock.ts';
import classes from './drawer.module.css';
import { type Counts, Navigation } from './navigation.tsx';

type Props = { readonly entries: readonly VisibleEntry[]; readonly counts: Counts };

export function DrawerFixed({ entries, counts }: Props) {
  return (
    <aside className={classes.fixed}>
      <Navigation entries={entries} counts={counts} />
    </aside>
  );
}

type ModalProps = Props & { readonly opened: boolean; readonly onClose: () => void };

/** Below 1263 px: over the page, with the focus inside until it closes. */
export function DrawerModal({ entries, counts, opened, onClose }: ModalProps) {
  useScrollLock(opened);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={288}
      radius={0}
      title="Navigation"
      classNames={{ body: classes.modalBody!, content: classes.modal! }}
    >
      <Navigation entries={entries} counts={counts} />
    </Drawer>
  );
}
