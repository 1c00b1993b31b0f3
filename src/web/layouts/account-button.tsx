import { lazy, useState } from 'react';
import { AccountFace } from './account-face.tsx';
import { LazyPart } from './lazy-part.tsx';

const load = () => import('./account-menu.tsx');
const AccountMenu = lazy(() => load().then((module) => ({ default: module.AccountMenu })));

/** The menu and what positions it are fetched when somebody reaches for it: they would be an eighth of the shell. */
export function AccountButton() {
  const [wanted, setWanted] = useState(false);
  const fetchAhead = () => void load().catch(() => {});
  const closed = (
    <AccountFace
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
      onClick={() => setWanted(true)}
    />
  );
  if (!wanted) return closed;
  return (
    <LazyPart meanwhile={closed} attempt={wanted} onFail={() => setWanted(false)}>
      <AccountMenu />
    </LazyPart>
  );
}
