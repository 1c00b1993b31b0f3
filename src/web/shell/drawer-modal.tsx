import { Drawer } from '@mantine/core';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { DialogHead } from '#web/ui/dialog-head.tsx';
import { useStacked } from '#web/ui/dialog-stack.ts';
import { useOpenedOnceDrawn } from '#web/ui/opened-late.tsx';
import { useScrollLock } from '#web/ui/scroll-lock.ts';
import classes from './drawer-modal.module.css';
import { type Counts, Navigation } from './navigation.tsx';

/** By the root: a class on the kit's content also applies to the box around it. */
const parts = { content: classes.modal ?? '', body: classes.modalBody ?? '' };

type Props = {
  readonly entries: readonly VisibleEntry[];
  readonly counts: Counts;
  readonly opened: boolean;
  readonly onClose: () => void;
};

/** Below 1263 px: over the page, with the focus inside until it closes. */
export function DrawerModal({ entries, counts, opened, onClose }: Props) {
  useScrollLock(opened);
  const { close } = useStacked(opened, onClose, (then) => {
    onClose();
    then();
  });
  useBackCloses(opened, close);
  const shown = useOpenedOnceDrawn(opened);
  return (
    <Drawer.Root opened={shown} onClose={close} size={288} radius={0} classNames={parts}>
      <Drawer.Overlay />
      <Drawer.Content data-navigation>
        <DialogHead title={<Drawer.Title>Navigation</Drawer.Title>} close={<Drawer.CloseButton />} />
        <Drawer.Body>
          <Navigation entries={entries} counts={counts} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
