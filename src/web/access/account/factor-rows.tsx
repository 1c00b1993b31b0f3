import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDeviceMobile, IconDots, IconFingerprint, IconLifebuoy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isRunningLow, recoveryCodeCount } from '#core/access/one-time-codes.ts';
import { passkeySite, passkeysUnavailable } from '#core/access/second-factor.ts';
import { plural } from '#core/base/formats.ts';
import { config } from '#web/api/config.ts';
import { type Added, offersPasskeys } from '#web/api/factor-calls.ts';
import { type SecondFactors, secondFactorsQuery } from '#web/api/second-factors.ts';
import { areCodesUnconfirmed } from '#web/api/unconfirmed-codes.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { AddedFacts, dateIn, LastUse } from '#web/ui/way-facts.tsx';
import { WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { AuthenticatorDialog, CodesDialog, PasskeyDialog, RenameDialog } from './factor-dialogs.tsx';
import { useNewRecoveryCodes, useRemoveAuthenticator, useRemovePasskey } from './factor-mutations.ts';
import { FactorNote } from './factor-note.tsx';
import classes from './factor-rows.module.css';

/** Passkeys, the authenticator app and the recovery codes as rows. */
export function FactorRows() {
  const { data: factors, error, refetch } = useQuery(secondFactorsQuery);
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (!factors)
    return (
      error && (
        <li>
          <PanelError
            sentence="Couldn’t load your two-step sign-in methods."
            requestId={error.requestId}
            onRetry={() => void refetch()}
          />
        </li>
      )
    );
  // Also after a call without an answer, which may have added it.
  const refresh = () => void client.invalidateQueries({ queryKey: ['account'] });
  const added = (what: string) => (result: Added) => {
    showToast({ message: what });
    setCodes(result.recoveryCodes);
  };
  return (
    <>
      <Passkeys passkeys={factors.passkeys} onAdded={added('Passkey added')} onClosed={refresh} />
      <AuthenticatorApp app={factors.authenticator} onAdded={added('Authenticator app added')} onClosed={refresh} />
      {(factors.passkeys.length > 0 || factors.authenticator) && (
        <RecoveryCodesRow left={factors.recoveryCodesLeft} onCodes={setCodes} />
      )}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}

type Adding = { readonly onAdded: (added: Added) => void; readonly onClosed: () => void };
type PasskeysProps = Adding & { readonly passkeys: SecondFactors['passkeys'] };

function Passkeys({ passkeys, onAdded, onClosed }: PasskeysProps) {
  const [adding, setAdding] = useState(false);
  const close = () => {
    setAdding(false);
    onClosed();
  };
  const number = plural(passkeys.length, 'passkey');
  const none = offersPasskeys() ? 'Sign in with your fingerprint, your face or a security key' : whyNoPasskeys();
  return (
    <>
      <WayRow
        icon={IconFingerprint}
        title="Passkeys"
        facts={passkeys.length === 0 ? none : number}
        action={
          offersPasskeys() && (
            <Writes>
              <Button variant="default" onClick={() => setAdding(true)}>
                Add passkey
              </Button>
              {adding && <PasskeyDialog onAdded={onAdded} onClose={close} />}
            </Writes>
          )
        }
      />
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} />
      ))}
    </>
  );
}

function whyNoPasskeys(): string {
  const { publicUrl } = config();
  const site = passkeySite(publicUrl, location.origin);
  if (site === null) return passkeysUnavailable(publicUrl, location.origin);
  return site.origin === location.origin
    ? 'This browser doesn’t support passkeys'
    : `To use passkeys, open ${site.origin}`;
}

function PasskeyRow({ passkey }: { readonly passkey: SecondFactors['passkeys'][number] }) {
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null);
  const remove = useRemovePasskey();
  const zone = config().companyTimeZone;
  const close = () => setAsking(null);
  return (
    <li className={classes.passkey}>
      <p>
        <b>{passkey.name}</b> added {dateIn(passkey.createdAt, zone)},{' '}
        <LastUse instant={passkey.lastUsedAt} zone={zone} />
        {passkey.synced && ', synced to your other devices'}
      </p>
      <Writes>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Passkey ${passkey.name}`}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setAsking('rename')}>Rename</Menu.Item>
            <Menu.Item onClick={() => setAsking('remove')}>Remove</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        {asking === 'rename' && <RenameDialog passkey={passkey} onClose={close} />}
        <ConfirmDialog
          opened={asking === 'remove'}
          title={`Remove ${passkey.name}?`}
          confirm="Remove passkey"
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate(passkey.id, { onSettled: close })}
          onClose={close}
        >
          <p>It won’t sign you in anymore. Delete it on the device too.</p>
          <FactorNote act="remove" />
        </ConfirmDialog>
      </Writes>
    </li>
  );
}

type AppProps = Adding & { readonly app: SecondFactors['authenticator'] };

function AuthenticatorApp({ app, onAdded, onClosed }: AppProps) {
  const [asking, setAsking] = useState<'add' | 'remove' | null>(null);
  const remove = useRemoveAuthenticator();
  const close = () => {
    setAsking(null);
    onClosed();
  };
  const facts = app ? (
    <AddedFacts way={app} zone={config().companyTimeZone} />
  ) : (
    'A 6-digit code from your phone, after your password'
  );
  return (
    <WayRow
      icon={IconDeviceMobile}
      title="Authenticator app"
      facts={facts}
      action={
        <Writes>
          <Button variant="default" onClick={() => setAsking('add')}>
            {app ? 'Replace' : 'Set up'}
          </Button>
          {app && (
            <Button variant="default" onClick={() => setAsking('remove')}>
              Remove
            </Button>
          )}
          {asking === 'add' && <AuthenticatorDialog onAdded={onAdded} onClose={close} />}
          <ConfirmDialog
            opened={asking === 'remove'}
            title="Remove the authenticator app?"
            confirm="Remove app"
            danger
            busy={remove.isPending}
            onConfirm={() => remove.mutate(undefined, { onSettled: close })}
            onClose={close}
          >
            <p>Its codes won’t sign you in anymore.</p>
            <FactorNote act="remove" />
          </ConfirmDialog>
        </Writes>
      }
    />
  );
}

type CodesProps = { readonly left: number; readonly onCodes: (codes: readonly string[]) => void };

function RecoveryCodesRow({ left, onCodes }: CodesProps) {
  const [asking, setAsking] = useState(false);
  const renew = useNewRecoveryCodes();
  return (
    <WayRow
      icon={IconLifebuoy}
      title={
        <>
          Recovery codes
          <span className={classes.squares} aria-hidden="true">
            {Array.from({ length: recoveryCodeCount }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: squares that are only counted
              <i key={index} data-left={index < left} />
            ))}
          </span>
        </>
      }
      facts={
        <>
          <span className={isRunningLow(left) ? classes.few : undefined}>
            {left} of {recoveryCodeCount} left.
          </span>{' '}
          Each works once
          {areCodesUnconfirmed() && <span className={classes.few}>. If you didn’t save them, create new codes</span>}
        </>
      }
      action={
        <Writes>
          <Button variant="default" onClick={() => setAsking(true)}>
            New codes
          </Button>
          <ConfirmDialog
            opened={asking}
            title="Create new recovery codes?"
            confirm="Create codes"
            busy={renew.isPending}
            onConfirm={() => renew.mutate(undefined, { onSuccess: onCodes, onSettled: () => setAsking(false) })}
            onClose={() => setAsking(false)}
          >
            Your old codes stop working.
          </ConfirmDialog>
        </Writes>
      }
    />
  );
}
