import { Button } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint, IconLifebuoy, IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { recoveryCodeCount } from '#core/access/one-time-codes.ts';
import { config } from '#web/api/config.ts';
import type { SecondFactors } from '#web/api/second-factors.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { AddedFacts } from '#web/ui/way-facts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import type { Way } from './user-way.tsx';
import { useResetFactors } from './users-calls.ts';
import type { User } from './users-queries.ts';

/** For admins: a person's passkeys, authenticator app and recovery codes. */
export function factorWays(
  { passkeys, authenticator, required, recoveryCodesLeft }: SecondFactors,
  name: string,
): Way[] {
  const zone = config().companyTimeZone;
  if (passkeys.length === 0 && !authenticator)
    return [
      {
        key: 'no factor',
        icon: IconShieldLock,
        title: 'Two-step sign-in',
        facts: required ? 'Not set up yet. Your company requires it at the next sign-in' : 'Off',
      },
    ];
  const isLast = passkeys.length + (authenticator ? 1 : 0) === 1;
  const question = (what: string): string =>
    `${name} won’t be able to sign in with ${what}. We’ll sign them out everywhere and notify them.${isLast ? ' Their recovery codes stop working too.' : ''}`;
  return [
    ...passkeys.map(
      (passkey): Way => ({
        key: `passkey ${passkey.id}`,
        icon: IconFingerprint,
        title: `Passkey “${passkey.name}”`,
        facts: <AddedFacts way={passkey} zone={zone} />,
        removal: {
          verb: 'Remove',
          way: { kind: 'passkey', id: passkey.id },
          question: { title: `Remove ${passkey.name}?`, confirm: 'Remove passkey', words: question('this passkey') },
        },
      }),
    ),
    ...(authenticator
      ? [
          {
            key: 'authenticator',
            icon: IconDeviceMobile,
            title: 'Authenticator app',
            facts: <AddedFacts way={authenticator} zone={zone} />,
            removal: {
              verb: 'Remove',
              way: { kind: 'authenticator' },
              question: { title: 'Remove the authenticator app?', confirm: 'Remove app', words: question('its codes') },
            },
          } satisfies Way,
        ]
      : []),
    {
      key: 'recovery codes',
      icon: IconLifebuoy,
      title: 'Recovery codes',
      facts: `${recoveryCodesLeft} of ${recoveryCodeCount} left`,
    },
  ];
}

/** For people who lost every factor. */
export function ResetFactors({ user }: { readonly user: User }) {
  const [asking, setAsking] = useState(false);
  const reset = useResetFactors(user);
  const name = user.displayName;
  return (
    <Writes>
      <Button variant="default" onClick={() => setAsking(true)}>
        Reset two-step sign-in
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`Reset two-step sign-in for ${name}?`}
        confirm="Reset two-step sign-in"
        danger
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        This removes their passkeys, authenticator app and recovery codes, and signs them out everywhere. {name} is
        notified. First make sure that they really asked for this.
      </ConfirmDialog>
    </Writes>
  );
}
