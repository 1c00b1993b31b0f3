import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { offersPasskeys } from '#web/api/factor-calls.ts';
import { secondFactorsQuery } from '#web/api/second-factors.ts';
import { confirmWithFactor, type FactorProof } from '#web/api/session-calls.ts';
import { Field } from '#web/ui/field.tsx';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { PlainForm, useSending } from './plain-form.tsx';
import classes from './second-step.module.css';

type Props = {
  /** Includes recovery codes, if only a factor is accepted. */
  readonly withRecovery: boolean;
  /** Without a password to enter, a failure leaves nothing to confirm with. */
  readonly isOnlyWay: boolean;
  readonly onConfirmed: () => void;
};

/** The other ways to confirm one's identity that the person has: a passkey, or an app's code. */
export function ConfirmFactors({ withRecovery, isOnlyWay, onConfirmed }: Props) {
  const { data: factors, isError, refetch } = useQuery(secondFactorsQuery);
  const [asked, setAsked] = useState<CodeProps['kind'] | null>(null);
  const [at, setAt] = useState<'passkey' | 'code'>('code');
  const { busy, problem, setProblem, run } = useSending();
  const confirm = (proof: FactorProof) => {
    setAt(proof === 'passkey' ? 'passkey' : 'code');
    run(async () => {
      await confirmWithFactor(proof);
      onConfirmed();
    });
  };
  const choose = (kind: CodeProps['kind']) => {
    setProblem(null);
    setAsked(kind);
  };
  const hasPasskey = factors !== undefined && factors.passkeys.length > 0 && offersPasskeys();
  const hasCode = factors !== undefined && (factors.authenticator !== null || factors.recoveryCodesLeft > 0);
  return (
    <div className={classes.choices}>
      {isOnlyWay && isError && <NotLoaded onRetry={() => void refetch()} />}
      {withRecovery && factors && !hasPasskey && !hasCode && <NoneHere />}
      {hasPasskey && (
        <div>
          <PlainButton busy={busy} onClick={() => confirm('passkey')}>
            Use a passkey
          </PlainButton>
          {problem !== null && at === 'passkey' && (
            <p className={classes.error} role="alert">
              {problem}
            </p>
          )}
        </div>
      )}
      {factors?.authenticator && asked !== 'code' && (
        <PlainButton onClick={() => choose('code')}>Use your authenticator app</PlainButton>
      )}
      {withRecovery && factors !== undefined && factors.recoveryCodesLeft > 0 && asked !== 'recoveryCode' && (
        <PlainButton onClick={() => choose('recoveryCode')}>Use a recovery code</PlainButton>
      )}
      {asked !== null && (
        <CodeForm
          key={asked}
          kind={asked}
          error={at === 'code' ? (problem ?? undefined) : undefined}
          busy={busy}
          onSend={confirm}
        />
      )}
    </div>
  );
}

function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <p role="alert">
      Couldn’t load your two-step sign-in methods. <PlainButton onClick={onRetry}>Try again</PlainButton>
    </p>
  );
}

function NoneHere() {
  return (
    <p>Your passkey doesn’t work here. Use the device that has it, or ask an admin to reset your two-step sign-in.</p>
  );
}

type CodeProps = {
  readonly kind: 'code' | 'recoveryCode';
  readonly error: string | undefined;
  readonly busy: boolean;
  readonly onSend: (proof: FactorProof) => void;
};

function CodeForm({ kind, error, busy, onSend }: CodeProps) {
  const [code, setCode] = useState('');
  const isRecovery = kind === 'recoveryCode';
  const send = () => {
    if (code.trim() !== '') onSend(isRecovery ? { recoveryCode: code } : { code });
  };
  return (
    <PlainForm busy={busy} onSend={send}>
      <Field
        label={isRecovery ? 'Recovery code' : 'Code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        maxLength={64}
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={error}
      />
      <PlainButton type="submit" busy={busy}>
        Confirm with the code
      </PlainButton>
    </PlainForm>
  );
}
