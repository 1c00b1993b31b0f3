import { useEffect, useState } from 'react';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { fetchedAhead } from '#web/ui/load-ahead.ts';
import { AccountFace } from './account-face.tsx';

const load = () => import('./account-menu.tsx');
const ahead = fetchedAhead(load);
const AccountMenu = lazyPart(load, (module) => module.AccountMenu);

/** Few come back from connecting their account to the identity provider: what says so is fetched for them alone. */
function tellEnding(): void {
  if (location.hash === '') return;
  import('./sign-in-ending.ts').then(
    ({ tellSignInEnding }) => tellSignInEnding(),
    (error: unknown) => console.error('How the sign-in ended cannot be told', error),
  );
}

/** The menu and what positions it are fetched when somebody reaches for it: they would be an eighth of the shell. */
export function AccountButton() {
  const [wanted, setWanted] = useState(false);
  useEffect(tellEnding, []);
  const closed = <AccountFace aria-haspopup="menu" aria-expanded={false} {...ahead} onClick={() => setWanted(true)} />;
  if (!wanted) return closed;
  return (
    <LazyPart meanwhile={closed} attempt={wanted} onFail={() => setWanted(false)}>
      <AccountMenu />
    </LazyPart>
  );
}
