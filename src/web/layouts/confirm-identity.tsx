import { useEffect, useState } from 'react';
import { answerConfirm, finishConfirm } from '#web/api/confirm.ts';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';

const ConfirmQuestion = lazyPart(
  () => import('./confirm-question.tsx'),
  (module) => module.ConfirmQuestion,
);

/** Asks "Confirm it's you" over the page for any call that needs it. */
export function ConfirmIdentity({ email }: { email: string }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => answerConfirm(() => setAsked(true)), []);
  const close = (confirmed: boolean) => {
    setAsked(false);
    finishConfirm(confirmed);
  };
  if (!asked) return null;
  return (
    <LazyPart meanwhile={null} attempt={asked} onFail={() => close(false)}>
      <ConfirmQuestion email={email} onClose={close} />
    </LazyPart>
  );
}
