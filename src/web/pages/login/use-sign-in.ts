// What the login page does: checks, signs in, says what went wrong, and leaves for the wanted page.
import { type ComponentType, useState } from 'react';
import { waitInWords } from '#core/guess-limits.ts';
import { loginInput, readInput } from '#core/inputs.ts';
import { isRefusal } from '#core/refusals.ts';
import { homePath, readGoto } from '#core/routes.ts';
import { type ApiError, asApiError } from '#web/api/api-error.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import { type Credentials, type NextStep, signIn } from '#web/api/sign-in.ts';
import { markCameFromLogin } from '#web/came-from.ts';

export type Problems = { readonly email?: string; readonly password?: string; readonly page?: string };

const blank = { email: 'Enter your email address', password: 'Enter your password' };

/** Plain http on a name of the local network: the browser takes no Secure cookie from there (D14). */
export const dropped =
  'You are signed in, but this browser dropped the session’s cookies. Open this page by https, or as localhost on the machine that runs the server.';

function check(credentials: Credentials): Problems {
  const problems = {
    ...(credentials.email.trim() === '' ? { email: blank.email } : {}),
    ...(credentials.password === '' ? { password: blank.password } : {}),
  };
  if (Object.keys(problems).length > 0) return problems;
  const parsed = readInput(loginInput, credentials);
  return isRefusal(parsed) ? { [parsed.field === 'password' ? 'password' : 'email']: parsed.message } : {};
}

function problemsOf(error: ApiError): Problems {
  if (error.code === 'WRONG_CREDENTIALS') return { password: error.message };
  if (error.code === 'TOO_MANY_ATTEMPTS') {
    return {
      page: error.retryAfter ? `Too many attempts. Try again in ${waitInWords(error.retryAfter)}` : error.message,
    };
  }
  return {
    page:
      error.code === 'NETWORK' ? 'The server cannot be reached. Check your connection and try again' : error.message,
  };
}

/** A right password that isn't the end of it, and whose it was. */
export type PendingStep = { readonly step: NextStep; readonly email: string };
export type NextStepProps = { readonly next: PendingStep; readonly onOver: (message?: string) => void };

const loadNextStep = () => import('./next-step.tsx');

export function useSignIn() {
  const [next, setNext] = useState<(PendingStep & { readonly Part: ComponentType<NextStepProps> }) | null>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);

  /** Gives the problems found, for the focus; empty when the page is on its way. */
  const submit = async (credentials: Credentials): Promise<Problems> => {
    const found = check(credentials);
    setProblems(found);
    if (Object.keys(found).length > 0) return found;
    setBusy(true);
    try {
      const email = credentials.email.trim();
      const answer = await signIn({ ...credentials, email });
      if (answer.next !== null) {
        // Fetched before the form goes: if it can't be, the form stays as it was typed.
        const { default: Part } = await fetchPart(loadNextStep);
        setNext({ step: answer, email, Part });
        return {};
      }
      return answer.kept ? goOn() : fail({ page: dropped });
    } catch (error) {
      return fail(problemsOf(asApiError(error)));
    }
  };
  const fail = (failed: Problems): Problems => {
    setProblems(failed);
    setBusy(false);
    return failed;
  };
  /** Back to the password. */
  const startOver = (message?: string) => {
    setNext(null);
    fail(message === undefined ? {} : { page: message });
  };
  return { problems, busy, submit, next, startOver };
}

/** A full page load: the application is another document. */
export function goOn(): Problems {
  markCameFromLogin();
  location.assign(readGoto(new URLSearchParams(location.search).get('goto')) ?? homePath);
  return {};
}
