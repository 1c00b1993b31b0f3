import { useEffect, useRef, useState } from 'react';
import { answerConfirm, type ConfirmRequest, finishConfirm } from '#web/api/confirm.ts';
import { confirmWords } from '#web/api/confirm-words.ts';
import { keepFocus, rememberFocus } from '#web/ui/focus-return.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';

const ConfirmQuestion = lazyPart(
  () => import('./confirm-question.tsx'),
  (module) => module.ConfirmQuestion,
);

/** Shows "Confirm it's you" over the page for any call that needs it. */
export function ConfirmIdentity({ email }: { email: string }) {
  const [asked, setAsked] = useState<ConfirmRequest | null>(null);
  const giveBack = useRef<() => void>(() => undefined);
  useEffect(rememberFocus, []);
  useEffect(
    () =>
      answerConfirm((question) => {
        giveBack.current = keepFocus();
        setAsked(question);
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
    <LazyPart fallback={null} attempt={asked} onFail={() => close(false)}>
      <ConfirmQuestion
        what={confirmWords(asked.call, asked.role)}
        email={email}
        factorsOnly={asked.factorsOnly}
        onClose={close}
      />
    </LazyPart>
  );
}
