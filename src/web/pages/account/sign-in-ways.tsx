import { Button } from '@mantine/core';
import { IconBuilding, IconDots, IconMail } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { secondFactorsQuery } from '#web/api/second-factors.ts';
import { leaveToConnect } from '#web/api/single-sign-on.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { IdentityFacts, linkFacts, passwordFacts } from '#web/ui/way-facts.tsx';
import { WayList, WayRow } from '#web/ui/way-row.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { useDisconnect } from './account-calls.ts';
import classes from './account-page.module.css';
import { FactorRows } from './factor-rows.tsx';
import { PasswordDialog } from './password-dialog.tsx';

/** Every way to sign in, each with one line of facts and its own action. */
export function SignInWays({ ways }: { readonly ways: WaysIn }) {
  return (
    <Panel title="Sign-in" note={<TwoStep />} flush>
      <WayList label="Ways to sign in">
        <Password password={ways.password} />
        <FactorRows />
        <CompanySignIn identities={ways.identities} hasPassword={ways.password.set} />
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

/** Whether a stolen password alone opens the account. */
function TwoStep() {
  const { data: factors } = useQuery(secondFactorsQuery);
  if (!factors) return null;
  const isOn = factors.passkeys.length > 0 || factors.authenticator !== null;
  return isOn ? <span className={classes.on}>Two-step sign-in is on</span> : 'Two-step sign-in is off';
}

function Password({ password }: { readonly password: WaysIn['password'] }) {
  const [changing, setChanging] = useState(false);
  const facts = password.set
    ? passwordFacts(password.changedAt, config().companyTimeZone)
    : 'You sign in with your company sign-in';
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

type CompanyProps = { readonly identities: WaysIn['identities']; readonly hasPassword: boolean };

function CompanySignIn({ identities, hasPassword }: CompanyProps) {
  const { singleSignOn } = config();
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
  return identities.map((identity) => <Identity key={identity.id} identity={identity} hasPassword={hasPassword} />);
}

type IdentityProps = { readonly identity: WaysIn['identities'][number]; readonly hasPassword: boolean };

function Identity({ identity, hasPassword }: IdentityProps) {
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
          {!hasPassword && '. It’s the only way into your account'}
        </>
      }
      action={
        hasPassword && (
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
              You’ll sign in with your password. You can link it again at any time.
            </ConfirmDialog>
          </Writes>
        )
      }
    />
  );
}
