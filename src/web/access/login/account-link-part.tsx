import { type ComponentType, useEffect, useState } from 'react';
import { asApiError } from '#web/api/api-error.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import { PlainButton } from '#web/ui/plain-button.tsx';
import classes from './login-page.module.css';
import type { NewPasswordProps } from './new-password.tsx';

/** Few people come with a link, so its rules about passwords load only for them. */
export function AccountLinkPart(props: NewPasswordProps) {
  const [Part, setPart] = useState<ComponentType<NewPasswordProps> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt fetches again
  useEffect(() => {
    setProblem(null);
    fetchPart(() => import('./new-password.tsx')).then(
      (part) => setPart(() => part.default),
      (error: unknown) => setProblem(asApiError(error).message),
    );
  }, [attempt]);
  if (Part) return <Part {...props} />;
  if (problem === null) return null;
  return (
    <>
      <p className={classes.notice} role="alert">
        {problem}
      </p>
      <PlainButton kind="primary" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </PlainButton>
    </>
  );
}
