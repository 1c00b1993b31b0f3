import { lazy, useEffect } from 'react';
import type { VisibleEntry } from '#core/navigation.ts';
import { loadWhenIdle } from '#web/idle.ts';
import { LazyPart } from '#web/ui/lazy-part.tsx';
import { useWasOpened } from '#web/ui/opened-late.ts';
import classes from './drawer.module.css';
import { type Counts, Navigation } from './navigation.tsx';

const load = () => import('./drawer-modal.tsx');
const Modal = lazy(() => load().then((module) => ({ default: module.DrawerModal })));

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
  const wasOpened = useWasOpened(props.opened);
  useEffect(() => loadWhenIdle(load), []);
  if (!wasOpened) return null;
  return (
    <LazyPart meanwhile={null} attempt={props.opened} onFail={props.onClose}>
      <Modal {...props} />
    </LazyPart>
  );
}
