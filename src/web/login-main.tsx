// The login page: a small separate document without router, server state and kit.
import '#web/ui/tokens.css';
import '@fontsource-variable/inter/wght.css';
import '#web/ui/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAccountLink } from '#web/access/login/account-link.ts';
import { goOn } from '#web/access/login/after-password.ts';
import LoginPage from '#web/access/login/login-page.tsx';
import { loadConfig } from '#web/api/config.ts';
import { onSignedInElsewhere, readToken } from '#web/api/session.ts';
import { signInEnding } from '#web/api/single-sign-on.ts';
import { LastResort } from '#web/shell/last-resort.tsx';
import { followAppearance } from '#web/ui/appearance.ts';

async function start(): Promise<void> {
  followAppearance();
  // Another link in the same tab is another page, though the browser doesn't reload.
  window.addEventListener('hashchange', () => location.reload());
  // The server checks the token: a signed-in visitor is redirected home (spec 2), or to the wanted page. A
  // link or a return from the provider comes first, even for a signed-in visitor.
  if (!readAccountLink(location.hash) && signInEnding() === null) {
    if (readToken()) return goOn();
    onSignedInElsewhere(goOn);
  }
  const { appName } = await loadConfig();
  document.title = `Sign in · ${appName}`;
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <LoginPage />
    </StrictMode>,
  );
}

start().catch((error: unknown) => {
  console.error('The login page could not start', error);
  createRoot(document.getElementById('root')!).render(<LastResort />);
});
