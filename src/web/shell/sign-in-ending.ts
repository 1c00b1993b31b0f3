import { signInEndings } from '#core/access/sign-in-endings.ts';
import { takeSignInEnding } from '#web/api/single-sign-on.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';

/** Says how connecting the account to the identity provider ended, to somebody who comes back from it. */
export function tellSignInEnding(): void {
  const ending = takeSignInEnding();
  const problem = ending && signInEndings[ending];
  if (problem) showError(problem);
  if (ending === 'connected') showToast({ message: 'Linked. You can sign in with it from now on' });
  if (ending === 'confirmed') showToast({ message: 'Confirmed. Continue with your change' });
}
