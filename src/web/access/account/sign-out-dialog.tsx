import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClosableWay } from '#core/access/account-inputs.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { plural } from '#core/base/formats.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { type SecondFactors, secondFactorsQuery } from '#web/api/second-factors.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { dateIn } from '#web/ui/way-facts.tsx';
import { useSignOutEverywhere } from './account-calls.ts';
import classes from './account-page.module.css';
import { PasswordDialog } from './password-dialog.tsx';

type Props = {
  readonly ways: WaysIn;
  /** After someone else's sign-in: the password comes first, and everything is selected. */
  readonly securing: boolean;
  readonly onClose: () => void;
};

/**
 * Signs out. If someone else signed in, a new password comes first, which also ends their sessions: closing
 * ways in may lead to setting up a second factor.
 */
export function SignOutDialogs(props: Props) {
  const [isChanged, setChanged] = useState(false);
  const { ways, securing, onClose } = props;
  if (securing && ways.password.set && !isChanged)
    return <PasswordDialog onClose={onClose} onChanged={() => setChanged(true)} />;
  return <SignOutDialog {...props} />;
}

const namesOf = (things: readonly { readonly name: string }[]): string => things.map(({ name }) => name).join(', ');

/** Ends the other sessions and asks what else to close, because a thief may have added a way in. */
function SignOutDialog({ ways, securing, onClose }: Props) {
  const { data: factors, error, refetch } = useQuery(secondFactorsQuery);
  const [choice, setChoice] = useState<Partial<Record<ClosableWay, boolean>>>({});
  const signOut = useSignOutEverywhere();
  const others = ways.sessions.filter(({ current }) => !current).length;
  const makesLinks = callRefusal(useViewer(), callAccess.people) === null;
  const offers = offersOf(ways, factors, makesLinks);
  const isChosen = ({ way, usually }: Offer) => choice[way] ?? (securing || usually);
  const setsUpAgain = factors?.required && offers.some((offer) => offer.way === 'factors' && isChosen(offer));
  return (
    <Dialog opened title={securing ? 'Secure your account' : 'Sign out everywhere'} onClose={onClose} width={480}>
      <p>
        {others === 0 ? 'You have no other sessions.' : `This signs out ${plural(others, 'other session')}.`}{' '}
        {setsUpAgain ? 'You’ll set up a new second step here.' : 'You stay signed in on this device.'}
      </p>
      {offers.length > 0 && (
        <fieldset className={classes.choices}>
          <legend>{securing ? 'Also remove. To keep something you added yourself, uncheck it' : 'Also remove'}</legend>
          {offers.map((offer) => (
            <Checkbox
              key={offer.way}
              className={classes.choice ?? ''}
              label={offer.label}
              description={offer.description}
              checked={isChosen(offer)}
              onChange={({ currentTarget }) => setChoice({ ...choice, [offer.way]: currentTarget.checked })}
            />
          ))}
        </fieldset>
      )}
      {error && !factors && (
        <PanelError
          sentence="Couldn’t load your two-step sign-in methods."
          requestId={error.requestId}
          onRetry={() => void refetch()}
        />
      )}
      <DialogActions
        primary="Sign out everywhere"
        danger
        focused
        busy={signOut.isPending}
        disabled={!factors}
        onPrimary={() =>
          signOut.mutate(
            offers.filter(isChosen).map(({ way }) => way),
            { onSuccess: onClose },
          )
        }
      />
    </Dialog>
  );
}

type Offer = {
  readonly way: ClosableWay;
  readonly label: string;
  readonly description: string;
  /** Selected by default. */
  readonly usually: boolean;
};

function offersOf(
  { calendarFeeds, serviceTokens, openLink, identities, password }: WaysIn,
  factors: SecondFactors | undefined,
  makesLinks: boolean,
): Offer[] {
  const offers: (Offer | false)[] = [
    factorsOffer(factors),
    calendarFeeds.length > 0 && {
      way: 'feeds',
      label: plural(calendarFeeds.length, 'calendar feed', 'calendar feeds'),
      description: `${namesOf(calendarFeeds)}. Calendars that use them stop updating`,
      usually: true,
    },
    serviceTokens.length > 0 && {
      way: 'tokens',
      label: plural(serviceTokens.length, 'service token', 'service tokens'),
      description: `${namesOf(serviceTokens)}. Their imports stop`,
      usually: false,
    },
    (openLink !== null || makesLinks) && {
      way: 'links',
      label: 'One-time links',
      description: makesLinks
        ? 'Your own links, and links you saw for other people, stop working'
        : 'They can no longer be used to set your password',
      usually: true,
    },
    identities.length > 0 &&
      password.set && {
        way: 'identities',
        label: 'Company sign-in',
        description: `${namesOf(identities)}. You’ll need your password to link it again`,
        usually: false,
      },
  ];
  return offers.filter((offer) => offer !== false);
}

function factorsOffer(factors: SecondFactors | undefined): Offer | false {
  const zone = config().companyTimeZone;
  const all = [
    ...(factors?.passkeys.map(({ name, createdAt }) => `${name}, added ${dateIn(createdAt, zone)}`) ?? []),
    ...(factors?.authenticator ? [`Authenticator app, added ${dateIn(factors.authenticator.createdAt, zone)}`] : []),
  ];
  return (
    all.length > 0 && {
      way: 'factors',
      label: 'Passkeys, authenticator app and recovery codes',
      description: `${all.join('; ')}. ${factors?.required ? 'You’ll set up a new one right away' : 'You’ll need to add yours again'}`,
      usually: false,
    }
  );
}
