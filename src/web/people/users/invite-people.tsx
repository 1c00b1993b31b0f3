// Invitations for several people: each is mailed, or its link is shown once, in a file to download.
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { instantWithYear } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { isConfirmCode } from '#web/api/confirm.ts';
import { useMutation } from '#web/api/mutation.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { DialogActions } from '#web/ui/dialog.tsx';
import classes from './bulk-dialog.module.css';
import { linkAddress, makeSignInLink, type SignInLink } from './users-calls.ts';
import { type State, stateOf } from './users-choice.ts';
import { aboutPeople, type User } from './users-queries.ts';

type Props = { readonly chosen: readonly User[]; readonly onDone: () => void };

/** `reason`: why there is no invitation. */
type Invited = { readonly user: User; readonly link: SignInLink | null; readonly reason: string | null };

const planned: Record<State, string> = {
  noPassword: 'gets an invitation',
  invited: 'gets a new invitation, and the earlier link ends',
  active: 'can sign in already',
  disabled: 'disabled',
};
const isInvitable = (user: User): boolean => ['noPassword', 'invited'].includes(stateOf(user));

/** One call after the other: a refused one doesn't stop the others, but closing “Confirm it’s you” does. */
function useInvitations() {
  const client = useQueryClient();
  const [done, setDone] = useState<readonly Invited[]>([]);
  const run = useMutation({
    mutationFn: async (users: readonly User[]) => {
      for (const user of users) {
        const invited = await makeSignInLink(user.id).then(
          (link): Invited => ({ user, link, reason: link.token === null && !link.mailedTo ? unsent : null }),
          (error): Invited => {
            const { code, message } = asApiError(error);
            if (isConfirmCode(code)) throw error;
            return { user, link: null, reason: message };
          },
        );
        setDone((before) => [...before, invited]);
      }
    },
    onSettled: () => void client.invalidateQueries(aboutPeople),
    meta: { quiet: true },
  });
  return { run, done };
}

const unsent = 'The email couldn’t be sent. Ask an admin for a link';

export function InvitePeople({ chosen, onDone }: Props) {
  const { run, done } = useInvitations();
  const left = chosen.filter((user) => isInvitable(user) && !done.some((invited) => invited.user.id === user.id));
  if (run.isSuccess) return <Results done={done} onDone={onDone} />;
  return (
    <>
      <ul className={classes.rows} aria-label="Who is invited">
        {chosen.map((user) => (
          <li key={user.id}>
            <span className={classes.name}>{user.displayName}</span>
            <span className={classes.words}>{planned[stateOf(user)]}</span>
          </li>
        ))}
      </ul>
      {run.isPending && (
        <p role="status">
          {done.length} of {done.length + left.length} invited…
        </p>
      )}
      <DialogActions
        primary={left.length === 0 ? 'Nobody to invite' : `Invite ${plural(left.length, 'person', 'people')}`}
        disabled={left.length === 0}
        busy={run.isPending}
        onPrimary={() => run.mutate(left)}
      />
    </>
  );
}

function Results({ done, onDone }: { readonly done: readonly Invited[]; readonly onDone: () => void }) {
  const mailed = done.filter(({ link }) => link?.mailedTo);
  const shown = done.flatMap(({ user, link }) => (link?.token ? [{ user, link }] : []));
  const refused = done.filter(({ reason }) => reason !== null);
  const [isSaved, setSaved] = useState(shown.length === 0);
  const save = () => {
    const rows = shown.map(({ user, link }) => [
      user.displayName,
      user.email,
      linkAddress(link),
      instantWithYear(link.expiresAt, config().companyTimeZone),
    ]);
    saveCsv('invitations', ['Name', 'Email', 'Link', 'Works until'], rows);
    setSaved(true);
  };
  return (
    <>
      <p role="status">
        {mailed.length > 0 && `${plural(mailed.length, 'invitation')} emailed. `}
        {shown.length > 0 &&
          `${plural(shown.length, 'invitation')} to send yourself. Each link works once. You won’t see them again. `}
        {refused.length > 0 && `${refused.length} refused.`}
      </p>
      {shown.length > 0 && (
        <Button variant={isSaved ? 'default' : 'filled'} onClick={save} data-autofocus>
          Download the links
        </Button>
      )}
      {refused.length > 0 && (
        <ul className={classes.rows} aria-label="Refused">
          {refused.map(({ user, reason }) => (
            <li key={user.id}>
              <span className={classes.name}>{user.displayName}</span>
              <span className={classes.words} data-refused>
                {reason}
              </span>
            </li>
          ))}
        </ul>
      )}
      <DialogActions primary="Done" onPrimary={onDone} cancel={null} disabled={!isSaved} focused={shown.length === 0} />
    </>
  );
}
