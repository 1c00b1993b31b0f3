import { useEffect } from 'react';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { OpenedLate } from '#web/ui/opened-late.tsx';
import classes from './drawer.module.css';
import { loadWhenIdle } from './idle.ts';
import { type Counts, Navigation } from './navigation.tsx';

const load = () => import('./drawer-modal.tsx');
const Modal = lazyPart(load, (module) => module.DrawerModal);

type Props = { readonly entries: readonly VisibleEntry[]; readonly counts: Counts };

export function DrawerFixed({ entries, counts }: Props) {
  return (
    <aside className={classes.fixed}>
      <Navigation entries={entries} counts={counts} />
    </aside>
  );
}

type ModalProps = Props & { readonly opened: boolean; readonly onClose: () => void };

/** Below 1263 px. */
export function DrawerModal(props: ModalProps) {
  useEffect(() => loadWhenIdle(load), []);
  return (
    <OpenedLate opened={props.opened} onFail={props.onClose}>
      <Modal {...props} />
    </OpenedLate>
  );
}
