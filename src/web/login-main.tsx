// The login page: a small document of its own, without router, server state and kit.
import '#web/ui/tokens.css';
import '@fontsource-variable/inter/wght.css';
import '#web/ui/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { homePath } from '#core/access/routes.ts';
import { readAccountLink } from '#web/access/login/account-link.ts';
import LoginPage from '#web/access/login/login-page.tsx';
import { loadConfig } from '#web/api/config.ts';
import { readToken } from '#web/api/session.ts';
import { signInEnding } from '#web/api/single-sign-on.ts';
import { LastResort } from '#web/shell/last-resort.tsx';
import { followAppearance } from '#web/ui/appearance.ts';

async function start(): Promise<void> {
  followAppearance();
  // Another link in the same tab is another page, though the browser does not load it.
  window.addEventListener('hashchange', () => location.reload());
  // Whether the token still holds is found out there: a signed-in visitor is sent home (spec 2).
  // Whoever comes with a link sets a password, and whoever comes back from the provider signs in, whoever is signed in here.
  if (readToken() && !readAccountLink(location.hash) && signInEnding() === null) {
    location.replace(homePath);
    return;
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
