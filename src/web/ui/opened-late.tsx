// For menus, cards and panels whose code is fetched when they first open.
import { type ReactNode, useEffect, useState } from 'react';
import { LazyPart } from './lazy-part.tsx';

type Props = { readonly opened: boolean; readonly onFail: () => void; readonly children: ReactNode };

/** Renders nothing until it is opened, then stays mounted for its closing transition. */
export function OpenedLate({ opened, onFail, children }: Props) {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  // Unmounted after a failure: otherwise it would be fetched again while closed.
  const fail = () => {
    setWasOpened(false);
    onFail();
  };
  return (
    <LazyPart fallback={null} attempt={opened} onFail={fail}>
      {children}
    </LazyPart>
  );
}

/**
 * Starts closed on the first render: a part that mounts open has no transition and doesn't know the previous
 * focus.
 */
export function useOpenedOnceDrawn(opened: boolean): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return shown;
}
