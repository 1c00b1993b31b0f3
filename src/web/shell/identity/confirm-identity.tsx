import { useEffect, useRef, useState } from 'react';
import { answerConfirm, finishConfirm } from '#web/api/confirm.ts';
import { confirmWords } from '#web/api/confirm-words.ts';
import { keepFocus, rememberFocus } from '#web/ui/focus-return.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';

const ConfirmQuestion = lazyPart(
  () => import('./confirm-question.tsx'),
  (module) => module.ConfirmQuestion,
);

/** Asks "Confirm it's you" over the page for any call that needs it. */
export function ConfirmIdentity({ email }: { email: string }) {
  const [asked, setAsked] = useState<{ readonly name: string | undefined } | null>(null);
  const giveBack = useRef<() => void>(() => undefined);
  useEffect(rememberFocus, []);
  useEffect(
    () =>
      answerConfirm((name) => {
        giveBack.current = keepFocus();
        setAsked({ name });
      }),
    [],
  );
  const close = (confirmed: boolean) => {
    setAsked(null);
    finishConfirm(confirmed);
    giveBack.current();
  };
  if (asked === null) return null;
  return (
    <LazyPart meanwhile={null} attempt onFail={() => close(false)}>
      <ConfirmQuestion what={confirmWords(asked.name)} email={email} onClose={close} />
    </LazyPart>
  );
}
