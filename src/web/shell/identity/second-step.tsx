import { useId, useState } from 'react';
import type { SecondStep as Way } from '#core/access/second-factor.ts';
import { asApiError } from '#web/api/api-error.ts';
import { askWithToken, type Finished, offersPasskeys, takeSecondStep } from '#web/api/factor-calls.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import type { NextStep } from '#web/api/sign-in.ts';
import { Field } from '#web/ui/field.tsx';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { PlainForm, useSending } from './plain-form.tsx';
import classes from './second-step.module.css';

type Props = {
  readonly step: NextStep;
  readonly onDone: (finished: Finished) => void;
  /** Returns to the password, because the step expired. */
  readonly onOver: (message: string) => void;
};

const words: Record<Way, string> = {
  passkey: 'Use a passkey',
  code: 'Use your authenticator app',
  recoveryCode: 'Use a recovery code',
};

/** The second step of signing in: a passkey, an app's code, or a recovery code. */
export function SecondStep({ step, onDone, onOver }: Props) {
  const ways = step.steps.filter((way) => way !== 'passkey' || offersPasskeys());
  const [way, setWay] = useState(ways[0] ?? null);
  const { busy, problem, setProblem, run } = useSending();
  const take = (made: () => Promise<object>) =>
    run(async () => {
      try {
        onDone(await takeSecondStep(step.stepToken, await made()));
      } catch (error) {
        if (asApiError(error).code === 'NOT_SIGNED_IN') onOver('That took too long. Sign in again');
        throw error;
      }
    });
  const withPasskey = () =>
    take(async () => {
      const { provePasskey } = await fetchPart(() => import('#web/api/passkeys.ts'));
      return { passkey: await provePasskey(askWithToken(step.stepToken)) };
    });
  const choose = (other: Way) => {
    setWay(other);
    setProblem(null);
  };
  return (
    <div className={classes.step}>
      {way === 'passkey' && (
        <>
          <p className={classes.sentence}>Confirm with a passkey: your fingerprint, your face, or a security key.</p>
          <Problem text={problem} />
          <PlainButton kind="primary" busy={busy} onClick={withPasskey}>
            {words.passkey}
          </PlainButton>
        </>
      )}
      {(way === 'code' || way === 'recoveryCode') && (
        <CodeForm key={way} way={way} problem={problem} busy={busy} onCode={(input) => take(async () => input)} />
      )}
      {way === null && <p className={classes.sentence}>None of your sign-in methods work on this page.</p>}
      <ul className={classes.others} aria-label="Other methods">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <li key={other}>
              <PlainButton kind="link" onClick={() => choose(other)}>
                {words[other]}
              </PlainButton>
            </li>
          ))}
      </ul>
      <p className={classes.hint}>Lost all of these? Ask an admin to reset your two-step sign-in.</p>
    </div>
  );
}

function Problem({ text }: { readonly text: string | null }) {
  return <div role="alert">{text !== null && <p className={classes.problem}>{text}</p>}</div>;
}

type CodeProps = {
  readonly way: 'code' | 'recoveryCode';
  readonly problem: string | null;
  readonly busy: boolean;
  readonly onCode: (input: { code: string } | { recoveryCode: string }) => void;
};

function CodeForm({ way, problem, busy, onCode }: CodeProps) {
  const [text, setText] = useState('');
  const id = useId();
  const isApp = way === 'code';
  const send = () => {
    if (text.trim() !== '') onCode(isApp ? { code: text } : { recoveryCode: text });
  };
  return (
    <PlainForm busy={busy} onSend={send} describedBy={id}>
      <p id={id} className={classes.sentence}>
        {isApp ? 'Open your authenticator app and enter the 6-digit code.' : 'Each recovery code works once.'}
      </p>
      <Field
        label={isApp ? 'Code' : 'Recovery code'}
        name={way}
        inputMode={isApp ? 'numeric' : 'text'}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        maxLength={64}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={problem ?? undefined}
      />
      <PlainButton kind="primary" type="submit" busy={busy}>
        {busy ? 'Checking…' : 'Verify'}
      </PlainButton>
    </PlainForm>
  );
}
