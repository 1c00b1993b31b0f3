import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconBuilding, IconDeviceMobile, IconDots, IconFingerprint, IconLifebuoy, IconMail } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isRunningLow, recoveryCodeCount } from '#core/access/one-time-codes.ts';
import { passkeySite, passkeysUnavailable } from '#core/access/second-factor.ts';
import { plural } from '#core/base/formats.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { type Added, offersPasskeys } from '#web/api/factor-calls.ts';
import { useMutation } from '#web/api/mutation.ts';
import { type SecondFactors, secondFactorsQuery } from '#web/api/second-factors.ts';
import { leaveToConnect } from '#web/api/single-sign-on.ts';
import { areCodesUnconfirmed } from '#web/api/unconfirmed-codes.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { AddedFacts, dateIn, IdentityFacts, LastUse, linkFacts, passwordFacts } from '#web/ui/way-facts.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useDisconnect } from './account-calls.ts';
import { AuthenticatorDialog, CodesDialog, PasskeyDialog, RenameDialog } from './factor-dialogs.tsx';
import { useNewRecoveryCodes, useRemoveAuthenticator, useRemovePasskey } from './factor-mutations.ts';
import { FactorNote } from './factor-note.tsx';
import classes from './factor-rows.module.css';
import { PasswordDialog } from './password-dialog.tsx';

/** Passkeys, the authenticator app and the recovery codes as rows. */
function FactorRows() {
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

/** Every way to sign in, each with a line of facts and its action. */
export function SignInWays({ ways }: { readonly ways: WaysIn }) {
  return (
    <Panel title="Sign-in" note={<TwoStep hasPassword={ways.password.set} />} flush>
      <WayList label="Sign-in methods">
        <Password ways={ways} />
        <FactorRows />
        <CompanySignIn ways={ways} />
        {ways.openLink && (
          <WayRow
            icon={IconMail}
            title="One-time link"
            facts={linkFacts(ways.openLink.until, config().companyTimeZone)}
          />
        )}
      </WayList>
    </Panel>
  );
}

/** Whether a stolen password alone opens the account. Hidden for people without a password. */
function TwoStep({ hasPassword }: { readonly hasPassword: boolean }) {
  const { data: factors } = useQuery(secondFactorsQuery);
  if (!factors || !hasPassword) return null;
  const isOn = factors.passkeys.length > 0 || factors.authenticator !== null;
  return isOn ? <Pill tone="good">Two-step sign-in is on</Pill> : 'Two-step sign-in is off';
}

type WaysProps = { readonly ways: WaysIn };

function Password({ ways: { password, identities } }: WaysProps) {
  const [changing, setChanging] = useState(false);
  const noPassword = identities.length > 0 ? 'None. You use your company sign-in' : 'None';
  const facts = password.set ? passwordFacts(password.changedAt, config().companyTimeZone) : noPassword;
  return (
    <WayRow
      icon={IconDots}
      title="Password"
      facts={facts}
      action={
        password.set && (
          <Writes>
            <Button variant="default" onClick={() => setChanging(true)}>
              Change password
            </Button>
            {changing && <PasswordDialog onClose={() => setChanging(false)} />}
          </Writes>
        )
      }
    />
  );
}

function CompanySignIn({ ways: { identities, password } }: WaysProps) {
  const { singleSignOn } = config();
  const { data: factors } = useQuery(secondFactorsQuery);
  const connect = useMutation({ mutationFn: leaveToConnect });
  if (identities.length === 0 && !singleSignOn) return null;
  if (identities.length === 0)
    return (
      <WayRow
        icon={IconBuilding}
        title="Company sign-in"
        facts={`Not linked to ${singleSignOn?.name}`}
        action={
          <Writes>
            <Button variant="default" loading={connect.isPending} onClick={() => connect.mutate()}>
              Link {singleSignOn?.name}
            </Button>
          </Writes>
        }
      />
    );
  const otherWay = password.set ? 'password' : factors && factors.passkeys.length > 0 ? 'passkey' : null;
  return identities.map((identity) => <Identity key={identity.id} identity={identity} otherWay={otherWay} />);
}

type IdentityProps = {
  readonly identity: WaysIn['identities'][number];
  /** How the person signs in without the identity. */
  readonly otherWay: 'password' | 'passkey' | null;
};

function Identity({ identity, otherWay }: IdentityProps) {
  const zone = config().companyTimeZone;
  const [asking, setAsking] = useState(false);
  const unlink = useDisconnect();
  return (
    <WayRow
      icon={IconBuilding}
      title="Company sign-in"
      facts={
        <>
          <IdentityFacts identity={identity} zone={zone} />
          {otherWay === null && '. It’s your only sign-in method'}
        </>
      }
      action={
        otherWay !== null && (
          <Writes>
            <Button variant="default" onClick={() => setAsking(true)}>
              Unlink
            </Button>
            <ConfirmDialog
              opened={asking}
              title={`Unlink ${identity.name}?`}
              confirm="Unlink"
              danger
              busy={unlink.isPending}
              onConfirm={() => unlink.mutate(identity.id, { onSettled: () => setAsking(false) })}
              onClose={() => setAsking(false)}
            >
              You’ll sign in with your {otherWay}. You can link {identity.name} again at any time.
            </ConfirmDialog>
          </Writes>
        )
      }
    />
  );
}
