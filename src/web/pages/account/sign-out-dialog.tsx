import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { WaysIn } from '#web/api/account.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { type SignOutChoice, useSignOutEverywhere } from './account-calls.ts';
import classes from './account-page.module.css';

type Props = { readonly ways: WaysIn; readonly onClose: () => void };

const some = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const namesOf = (things: readonly { readonly name: string }[]): string => things.map(({ name }) => name).join(', ');

/** Ends the other sessions, and asks what else to revoke. */
export function SignOutDialog({ ways, onClose }: Props) {
  const [choice, setChoice] = useState<SignOutChoice>({ feeds: true, tokens: false, links: true, identities: false });
  const signOut = useSignOutEverywhere();
  const others = ways.sessions.filter(({ current }) => !current).length;
  const offers = offersOf(ways);
  return (
    <Dialog opened title="Sign out everywhere" onClose={onClose} width={480}>
      <p>
        {others === 0
          ? 'You have no other sessions. You stay signed in here.'
          : `Your ${some(others, 'other session', 'other sessions')} ${others === 1 ? 'ends' : 'end'} now. You stay signed in here.`}
      </p>
      {offers.length > 0 && (
        <fieldset className={classes.choices}>
          <legend>Also revoke</legend>
          {offers.map(({ key, label, description }) => (
            <Checkbox
              key={key}
              className={classes.choice ?? ''}
              label={label}
              description={description}
              checked={choice[key]}
              onChange={({ currentTarget }) => setChoice({ ...choice, [key]: currentTarget.checked })}
            />
          ))}
        </fieldset>
      )}
      <DialogActions>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="sm"
          color="danger"
          loading={signOut.isPending}
          onClick={() => signOut.mutate(onlyOffered(choice, offers), { onSuccess: onClose })}
          data-autofocus
        >
          Sign out everywhere
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type Offer = { readonly key: keyof SignOutChoice; readonly label: string; readonly description: string };

function offersOf({ calendarFeeds, serviceTokens, openLink, identities, password }: WaysIn): Offer[] {
  const offers: (Offer | false)[] = [
    calendarFeeds.length > 0 && {
      key: 'feeds',
      label: some(calendarFeeds.length, 'calendar feed', 'calendar feeds'),
      description: `${namesOf(calendarFeeds)}. Calendars that read them stop updating`,
    },
    serviceTokens.length > 0 && {
      key: 'tokens',
      label: some(serviceTokens.length, 'service token', 'service tokens'),
      description: `${namesOf(serviceTokens)}. Their imports stop`,
    },
    openLink !== null && {
      key: 'links',
      label: '1 one-time link',
      description: 'Anyone with the link can set your password',
    },
    identities.length > 0 &&
      password.set && {
        key: 'identities',
        label: 'Company sign-in',
        description: `${namesOf(identities)}. You’ll need your password to link it again`,
      },
  ];
  return offers.filter((offer) => offer !== false);
}

/** What isn't offered isn't revoked either: it may have been created since. */
function onlyOffered(choice: SignOutChoice, offers: readonly Offer[]): SignOutChoice {
  const isOffered = (key: keyof SignOutChoice) => choice[key] && offers.some((offer) => offer.key === key);
  return {
    feeds: isOffered('feeds'),
    tokens: isOffered('tokens'),
    links: isOffered('links'),
    identities: isOffered('identities'),
  };
}
