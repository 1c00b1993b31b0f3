import { lazy, useEffect, useState } from 'react';
import { signInEndings } from '#core/sign-in-endings.ts';
import { takeSignInEnding } from '#web/api/single-sign-on.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';
import { AccountFace } from './account-face.tsx';
import { LazyPart } from './lazy-part.tsx';

const load = () => import('./account-menu.tsx');
const AccountMenu = lazy(() => load().then((module) => ({ default: module.AccountMenu })));

/** Somebody comes back from connecting the account to the identity provider. */
function tellEnding(): void {
  const ending = takeSignInEnding();
  const problem = ending && signInEndings[ending];
  if (problem) showError(problem);
  if (ending === 'connected') showToast({ message: 'Connected: you can sign in there from now on' });
}

/** The menu and what positions it are fetched when somebody reaches for it: they would be an eighth of the shell. */
export function AccountButton() {
  const [wanted, setWanted] = useState(false);
  useEffect(tellEnding, []);
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
