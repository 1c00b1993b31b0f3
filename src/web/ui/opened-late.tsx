// For what is fetched when it is opened for the first time: menus, cards, panels. A page comes sooner without them.
import { type ReactNode, useEffect, useState } from 'react';
import { LazyPart } from './lazy-part.tsx';

type Props = { readonly opened: boolean; readonly onFail: () => void; readonly children: ReactNode };

/** Nothing until it is opened. From then on it stays drawn, so that it closes with its transition. */
export function OpenedLate({ opened, onFail, children }: Props) {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  // Not drawn after a failure: that would fetch it again while nobody opens it.
  const fail = () => {
    setWasOpened(false);
    onFail();
  };
  return (
    <LazyPart meanwhile={null} attempt={opened} onFail={fail}>
      {children}
    </LazyPart>
  );
}

/** Inside of it: closed as it is first drawn, as what comes when it is open has no transition and does not know where the focus was. */
export function useOpenedOnceDrawn(opened: boolean): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return shown;
}
