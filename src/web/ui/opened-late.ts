// For what is fetched when it is opened for the first time: menus, cards, panels. A page comes sooner without them.
import { useEffect, useState } from 'react';

/** Whether it was ever opened. From then on it stays drawn, so that it closes with its transition. */
export function useWasOpened(opened: boolean): boolean {
  const [was, setWas] = useState(opened);
  if (opened && !was) setWas(true);
  return was || opened;
}

/** Inside of it: closed as it is first drawn, as what comes when it is open has no transition and does not know where the focus was. */
export function useOpenedOnceDrawn(opened: boolean): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return shown;
}
