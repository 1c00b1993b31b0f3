import { useEffect, useState } from 'react';
import { onOtherPerson, sessionEndsAt } from '#web/api/session.ts';
import { answerSignInAgain } from '#web/api/signed-in-again.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { loadWhenIdle } from '../idle.ts';
import type { SessionAsk } from './session-question.tsx';

const load = () => import('./session-question.tsx');
const SessionQuestion = lazyPart(load, (module) => module.SessionQuestion);

/** The dialog appears this long before the hour ends (D14). */
const warningMs = 5 * 60_000;
const lookEveryMs = 15_000;

/** Offers to sign in again over the page; no input is lost. */
export function SessionDialog({ email }: { email: string }) {
  const [ask, setAsk] = useAsk();
  useEffect(() => loadWhenIdle(load), []);
  if (ask === null) return null;
  return (
    <LazyPart fallback={null} attempt={ask}>
      <SessionQuestion ask={ask} email={email} onDone={() => setAsk(null)} />
    </LazyPart>
  );
}

function useAsk() {
  const [ask, setAsk] = useState<SessionAsk | null>(null);
  useEffect(() => {
    let warnedFor = 0;
    const look = () => {
      const end = sessionEndsAt();
      const left = end - Date.now();
      // Another tab signed in again: nothing to ask.
      if (left > warningMs) setAsk((now) => (now === 'soon' ? null : now));
      else if (warnedFor !== end) {
        warnedFor = end;
        setAsk((now) => now ?? 'soon');
      }
    };
    look();
    const timer = setInterval(look, lookEveryMs);
    const stopAnswering = answerSignInAgain((end) => setAsk((now) => (now === 'otherPerson' ? now : end)));
    const stopWatching = onOtherPerson(() => setAsk('otherPerson'));
    return () => {
      clearInterval(timer);
      stopAnswering();
      stopWatching();
    };
  }, []);
  return [ask, setAsk] as const;
}
