// Invitations for several people: each is mailed, or its link is shown once, in a file to download.
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { instantWithYear } from '#core/base/day-words.ts';
import { plural } from '#core/base/formats.ts';
import { asApiError, isUnanswered } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { isConfirmCode } from '#web/api/confirm.ts';
import { useMutation } from '#web/api/mutation.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { DialogActions, useAskBeforeLeaving, useHold } from '#web/ui/dialog.tsx';
import classes from './bulk-dialog.module.css';
import { linkAddress, makeSignInLink, type SignInLink } from './users-calls.ts';
import { type State, stateOf } from './users-choice.ts';
import { aboutPeople, type User } from './users-queries.ts';

type Invitee = Pick<User, 'id' | 'displayName' | 'email'>;

type EndProps = { readonly onDone: () => void };

/** `reason`: why there is no invitation, as far as we know. */
type Invited = {
  readonly user: Invitee;
  readonly link: SignInLink | null;
  readonly reason: string | null;
  /** The answer was lost: a new invitation replaces one that was made. */
  readonly isUnanswered?: boolean;
};

const planned: Record<State, string> = {
  noPassword: 'gets an invitation',
  invited: 'gets a new invitation, and the earlier link stops working',
  active: 'can already sign in',
  disabled: 'disabled',
};
const isInvitable = (user: User): boolean => ['noPassword', 'invited'].includes(stateOf(user));
const unsent = 'The email couldn’t be sent. Ask an admin for a link';
const unansweredWords = (): string =>
  config().mailsLinks
    ? 'The server didn’t respond. The invitation may have been sent'
    : 'The server didn’t respond, so the link can’t be shown. Invite again';

/** One call after the other: a refused one doesn't stop the others, but closing “Confirm it’s you” does. */
function useInvitations() {
  const client = useQueryClient();
  const [done, setDone] = useState<readonly Invited[]>([]);
  const [asked, setAsked] = useState(0);
  const isStopped = useRef(false);
  const run = useMutation({
    mutationFn: async (users: readonly Invitee[]) => {
      setAsked(0);
      isStopped.current = false;
      for (const user of users) {
        if (isStopped.current) return;
        const invited = await makeSignInLink(user.id).then(
          (link): Invited => ({ user, link, reason: link.token === null && !link.mailedTo ? unsent : null }),
          (error): Invited => {
            const { code, message } = asApiError(error);
            if (isConfirmCode(code)) throw error;
            const reason = code === 'NETWORK' ? unansweredWords() : message;
            return { user, link: null, reason, isUnanswered: isUnanswered(error) };
          },
        );
        setAsked((before) => before + 1);
        setDone((before) => [...before.filter((one) => one.user.id !== user.id), invited]);
      }
    },
    onSettled: () => void client.invalidateQueries(aboutPeople),
    meta: { quiet: true },
  });
  useHold(run.isPending);
  useAskBeforeLeaving(run.isPending);
  const stop = () => {
    isStopped.current = true;
  };
  return { run, done, asked, stop };
}

type InvitePeopleProps = EndProps & { readonly chosen: readonly User[] };

export function InvitePeople({ chosen, onDone }: InvitePeopleProps) {
  const invitable = chosen.filter(isInvitable);
  return (
    <Inviting invitees={invitable} onDone={onDone}>
      <ul className={classes.rows} aria-label="People to invite">
        {chosen.map((user) => (
          <li key={user.id}>
            <span className={classes.name}>{user.displayName}</span>
            <span className={classes.words}>{planned[stateOf(user)]}</span>
          </li>
        ))}
      </ul>
    </Inviting>
  );
}

type InvitingProps = EndProps & {
  readonly invitees: readonly Invitee[];
  readonly cancel?: string;
  /** Shown until they are invited. */
  readonly children: ReactNode;
};

/** The button that invites them, then the progress and what came of it. */
export function Inviting({ invitees, cancel, onDone, children }: InvitingProps) {
  const { run, done, asked, stop } = useInvitations();
  if (run.isSuccess || (run.isError && done.length > 0))
    return <Results done={done} left={invitees.length - done.length} onAgain={run.mutate} onDone={onDone} />;
  return (
    <>
      {children}
      {run.isPending ? (
        <div className={classes.running}>
          <p role="status">
            {asked} of {run.variables.length} invited…
          </p>
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        </div>
      ) : (
        <DialogActions
          primary={invitees.length === 0 ? 'Nobody to invite' : `Invite ${plural(invitees.length, 'person', 'people')}`}
          disabled={invitees.length === 0}
          cancel={cancel ?? 'Cancel'}
          onPrimary={() => run.mutate(invitees)}
        />
      )}
    </>
  );
}

type ResultsProps = EndProps & {
  readonly done: readonly Invited[];
  /** How many weren't asked for, because it was stopped. */
  readonly left: number;
  readonly onAgain: (users: readonly Invitee[]) => void;
};

function Results({ done, left, onAgain, onDone }: ResultsProps) {
  const mailed = done.filter(({ link }) => link?.mailedTo);
  const shown = done.flatMap(({ user, link }) => (link?.token ? [{ user, link }] : []));
  const without = done.filter(({ reason }) => reason !== null);
  const unanswered = done.filter((one) => one.isUnanswered).map(({ user }) => user);
  const [isSaved, setSaved] = useState(shown.length === 0);
  // A link is shown once: the dialog stays until they are saved.
  useHold(!isSaved);
  useAskBeforeLeaving(!isSaved);
  const save = () => {
    const rows = shown.map(({ user, link }) => [
      user.displayName,
      user.email,
      linkAddress(link),
      instantWithYear(link.expiresAt, config().companyTimeZone),
    ]);
    saveCsv('invitations', ['Name', 'Email', 'Link', 'Expires'], rows);
    setSaved(true);
  };
  const sentences = [
    mailed.length > 0 && `${plural(mailed.length, 'invitation')} emailed.`,
    shown.length > 0 &&
      (shown.length === 1
        ? 'Send this invitation yourself. Download the link: it won’t be shown again.'
        : `Send ${shown.length} invitations yourself. Download the links: they won’t be shown again.`),
    without.length > 0 && `${plural(without.length, 'invitation needs', 'invitations need')} your attention.`,
    left > 0 && `${left === 1 ? '1 person wasn’t' : `${left} people weren’t`} invited.`,
  ];
  return (
    <>
      <p role="status" className={classes.said}>
        {sentences.filter(Boolean).join(' ')}
      </p>
      {shown.length > 0 && (
        <Button variant={isSaved ? 'default' : 'filled'} mt={12} onClick={save} data-autofocus>
          Download the {shown.length === 1 ? 'link' : 'links'}
        </Button>
      )}
      {without.length > 0 && (
        <ul className={classes.rows} aria-label="People to check">
          {without.map(({ user, reason }) => (
            <li key={user.id}>
              <span className={classes.name}>{user.displayName}</span>
              <span className={classes.words} data-refused>
                {reason}
              </span>
            </li>
          ))}
        </ul>
      )}
      <DialogActions primary="Done" onPrimary={onDone} cancel={null} disabled={!isSaved} focused={isSaved}>
        {unanswered.length > 0 && (
          <Button size="sm" variant="default" onClick={() => onAgain(unanswered)}>
            Invite {plural(unanswered.length, 'person', 'people')} again
          </Button>
        )}
      </DialogActions>
    </>
  );
}
