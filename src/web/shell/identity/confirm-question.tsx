import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { recentProofMinutes } from '#core/access/account-events.ts';
import { confirmWithPassword } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { ownPasswordQuery } from '#web/api/own-password.ts';
import { leaveToConfirm } from '#web/api/single-sign-on.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { ConfirmFactors } from './confirm-factors.tsx';
import { PlainForm, useSending } from './plain-form.tsx';
import classes from './session-question.module.css';

type WayProps = { readonly email: string; readonly onClose: (confirmed: boolean) => void };
type Props = WayProps & {
  /** The action, in a sentence. */
  readonly what: string;
  /** A change of second factors: people with one confirm with it. */
  readonly factorsOnly: boolean;
};

/** The content of `ConfirmIdentity`. Each method shows its own errors. */
export function ConfirmQuestion({ what, email, factorsOnly, onClose }: Props) {
  const { singleSignOn } = config();
  // Shown unless it is known to be missing: a failed request must not remove the option.
  const { data: hasPassword = true } = useQuery(ownPasswordQuery);
  const asksPassword = hasPassword && !factorsOnly;
  return (
    <Dialog opened title="Confirm it’s you" onTop onClose={() => onClose(false)}>
      <p className={classes.sentence}>
        {what} We’ll ask again after {recentProofMinutes} minutes.
      </p>
      {asksPassword && <WithPassword email={email} onClose={onClose} />}
      <div className={classes.ways}>
        <ConfirmFactors withRecovery={factorsOnly} isOnlyWay={!asksPassword} onConfirmed={() => onClose(true)} />
        {singleSignOn && !factorsOnly && <WithProvider name={singleSignOn.name} />}
      </div>
      {!asksPassword && <DialogActions />}
    </Dialog>
  );
}

function WithProvider({ name }: { readonly name: string }) {
  const { problem, run } = useSending();
  const leave = () => run(() => leaveToConfirm(location.pathname + location.search));
  return (
    <>
      <Button size="sm" variant="default" fullWidth onClick={leave}>
        Confirm with {name}
      </Button>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function WithPassword({ email, onClose }: WayProps) {
  const [password, setPassword] = useState('');
  const { busy, problem, run } = useSending();
  const send = () =>
    run(async () => {
      await confirmWithPassword(password);
      onClose(true);
    });
  return (
    <PlainForm busy={busy} onSend={send}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problem ?? undefined}
        data-autofocus
      />
      <DialogActions primary="Confirm" busy={busy} disabled={password === ''} />
    </PlainForm>
  );
}
