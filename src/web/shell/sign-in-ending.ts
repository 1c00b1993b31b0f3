import { signInEndings } from '#core/access/sign-in-endings.ts';
import { takeConfirmed, takeSignInEnding } from '#web/api/single-sign-on.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';

/** Shows the outcome of connecting the account to the identity provider, on return. */
export function showSignInEnding(): void {
  const ending = takeSignInEnding();
  const problem = ending && signInEndings[ending];
  if (problem) showError(problem);
  if (ending === 'connected') showToast({ message: 'Company sign-in linked. You can now use it to sign in' });
  if (ending === 'confirmed')
    takeConfirmed().then(
      () => showToast({ message: 'Confirmed. Continue with your change' }),
      () => showError(signInEndings.expired),
    );
}
