import { useState } from 'react';
import { accountPath } from '#core/access/routes.ts';
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
  const [codesLeft, setCodesLeft] = useState<number | null>(null);
  const done = ({ kept, recoveryCodesLeft }: Finished) => {
    dropPendingStep();
    if (!kept) onOver(dropped);
    else if (recoveryCodesLeft === null) goOn();
    else setCodesLeft(recoveryCodesLeft);
  };
  if (codesLeft !== null) return <AfterRecoveryCode left={codesLeft} />;
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

/** A recovery code often means a lost phone, and people without any codes left need an admin. */
function AfterRecoveryCode({ left }: { readonly left: number }) {
  return (
    <>
      <h1>You’re signed in</h1>
      <p className={classes.owner}>
        {left === 0 ? 'That was your last recovery code.' : `You have ${plural(left, 'recovery code')} left.`} In My
        account, you can replace a lost phone or passkey and create new codes.
      </p>
      <PlainButton kind="primary" onClick={() => goOn()}>
        Continue
      </PlainButton>
      <PlainButton kind="link" onClick={() => goOn(accountPath)}>
        Open My account
      </PlainButton>
    </>
  );
}
