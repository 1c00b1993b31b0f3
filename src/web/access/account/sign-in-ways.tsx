import { Button } from '@mantine/core';
import { IconBuilding, IconDots, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { secondFactorsQuery } from '#web/api/second-factors.ts';
import { leaveToConnect } from '#web/api/single-sign-on.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { IdentityFacts, linkFacts, passwordFacts } from '#web/ui/way-facts.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useDisconnect } from './account-calls.ts';
import { FactorRows } from './factor-rows.tsx';
import { PasswordDialog } from './password-dialog.tsx';

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
