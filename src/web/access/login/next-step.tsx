import { useState } from 'react';
import { plural } from '#core/base/formats.ts';
import type { Finished } from '#web/api/factor-calls.ts';
import { dropPendingStep } from '#web/api/pending-step.ts';
import { SecondStep } from '#web/shell/identity/second-step.tsx';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { dropped, goOn, type NextStepProps } from './after-password.ts';
import classes from './login-page.module.css';
import SetUpStep from './set-up-step.tsx';

/** What follows a correct password: the second step, or setting up the first one. */
export default function NextStep({ next: { step, email }, onOver }: NextStepProps) {
  const [finished, setFinished] = useState<Finished | null>(null);
  const done = (result: Finished) => {
    dropPendingStep();
    if (!result.kept) onOver(dropped);
    else if (result.runningLow) setFinished(result);
    else goOn();
  };
  if (finished) return <FewCodes left={finished.recoveryCodesLeft ?? 0} />;
  if (step.next === 'setUpSecondStep') return <SetUpStep step={step} email={email} onOver={() => onOver()} />;
  return (
    <>
      <h1>Two-step sign-in</h1>
      <SecondStep step={step} onDone={done} onOver={onOver} />
      <PlainButton kind="link" onClick={() => onOver()}>
        Sign in as someone else
      </PlainButton>
    </>
  );
}

/** People without any codes left who lose their phone need an admin. */
function FewCodes({ left }: { readonly left: number }) {
  const amount = plural(left, 'recovery code');
  return (
    <>
      <h1>You’re signed in</h1>
      <p className={classes.owner}>
        {left === 0 ? 'That was your last recovery code.' : `You have ${amount} left.`} Create new ones in My account.
      </p>
      <PlainButton kind="primary" onClick={goOn}>
        Continue
      </PlainButton>
    </>
  );
}
