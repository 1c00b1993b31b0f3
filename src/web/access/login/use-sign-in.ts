// The login page's logic: checks, signs in, shows errors, and opens the requested page.
import { type ComponentType, useEffect, useState } from 'react';
import { loginInput } from '#core/access/sign-in-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { type ApiError, asApiError } from '#web/api/api-error.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import { dropPendingStep, keepPendingStep, type PendingStep, readPendingStep } from '#web/api/pending-step.ts';
import { type Credentials, signIn } from '#web/api/sign-in.ts';
import { readAccountLink } from './account-link.ts';
import { dropped, goOn, type NextStepProps } from './after-password.ts';

export type Problems = { readonly email?: string; readonly password?: string; readonly page?: string };

const blank = { email: 'Enter your email address', password: 'Enter your password' };

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
  return {
    page: error.code === 'NETWORK' ? 'Can’t reach the server. Check your connection and try again' : error.message,
  };
}

const loadNextStep = () => import('./next-step.tsx');

export function useSignIn() {
  const [next, setNext] = useState<(PendingStep & { readonly Part: ComponentType<NextStepProps> }) | null>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  // A link in the address is what the person came for.
  const [pending, setPending] = useState(() => (readAccountLink(location.hash) ? null : readPendingStep()));
  useEffect(() => {
    if (!pending) return;
    fetchPart(loadNextStep).then(
      ({ default: Part }) => setNext({ ...pending, Part }),
      (error: unknown) => {
        setPending(null);
        setProblems({ page: asApiError(error).message });
      },
    );
  }, [pending]);

  /** Returns the problems, for the focus; empty when the page is loading. */
  const submit = async (credentials: Credentials): Promise<Problems> => {
    const found = check(credentials);
    setProblems(found);
    if (Object.keys(found).length > 0) return found;
    setBusy(true);
    try {
      const email = credentials.email.trim();
      const answer = await signIn({ ...credentials, email });
      if (answer.next !== null) {
        // Fetched before the form is replaced: if it fails, the input stays.
        const { default: Part } = await fetchPart(loadNextStep);
        const step = { step: answer, email };
        keepPendingStep(step);
        setNext({ ...step, Part });
        return {};
      }
      if (!answer.kept) return fail({ page: dropped });
      goOn();
      return {};
    } catch (error) {
      return fail(problemsOf(asApiError(error)));
    }
  };
  const fail = (failed: Problems): Problems => {
    setProblems(failed);
    setBusy(false);
    return failed;
  };
  /** Returns to the password. */
  const startOver = (message?: string) => {
    dropPendingStep();
    setPending(null);
    setNext(null);
    fail(message === undefined ? {} : { page: message });
  };
  /** `isContinuing`: a step from before a reload is being loaded. */
  return { problems, busy, submit, next, isContinuing: pending !== null, startOver };
}
