import { Button } from '@mantine/core';
import { useState } from 'react';
import { signInRefusal } from '#core/accounts.ts';
import { formatInstant } from '#core/day-words.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { SignInLinkView } from './sign-in-link.tsx';
import classes from './user-panel.module.css';
import { useEndSessions, useMakeLink, useSetDisabled } from './users-calls.ts';
import type { User, UserDetail, UserSession } from './users-queries.ts';

/** How this person signs in: the password, the sessions, the account itself. */
export function UserAccount({ detail: { user, sessions } }: { detail: UserDetail }) {
  const refusal = signInRefusal(useViewer(), user);
  if (refusal) return <p className={classes.sentence}>{refusal.message}.</p>;
  return (
    <>
      {!user.disabled && <Password user={user} />}
      {!user.disabled && <Sessions user={user} sessions={sessions} />}
      <Disabling user={user} sessions={sessions.length} />
    </>
  );
}

function Password({ user }: { user: User }) {
  const link = useMakeLink(user.id);
  const { companyTimeZone: zone, singleSignOn } = config();
  return (
    <section className={classes.block}>
      <h3>{user.hasPassword ? 'Password' : 'Invitation'}</h3>
      <p className={classes.sentence}>
        {user.hasPassword
          ? 'By a link that is good once and for a day the person sets a new password. The old one works until then; with the new one every session ends.'
          : `This person has no password yet. By a link that is good once and for a week they set one${singleSignOn ? `, or continue with ${singleSignOn.name}` : ''}.`}
        {user.linkUntil !== null && ` A link is open until ${formatInstant(user.linkUntil, zone)}; a new one ends it.`}
      </p>
      <SignInLinkView link={link.data} />
      <Writes>
        <Button variant="default" loading={link.isPending} onClick={() => link.mutate()}>
          {user.hasPassword ? 'Make a link for a new password' : 'Make an invitation'}
        </Button>
      </Writes>
    </section>
  );
}

function Sessions({ user, sessions }: { user: User; sessions: readonly UserSession[] }) {
  const end = useEndSessions(user.id);
  const zone = config().companyTimeZone;
  return (
    <section className={classes.block}>
      <h3>Sessions</h3>
      {sessions.length === 0 ? (
        <p className={classes.sentence}>Not signed in anywhere right now.</p>
      ) : (
        <>
          <ul className={classes.sessions}>
            {sessions.map(({ id, since, address, browser }) => (
              <li key={id}>
                <span>
                  Since <Age instant={since} zone={zone} ago /> from {address ?? 'an unknown address'}
                  <small title={browser ?? undefined}>{browser ?? 'Unknown browser'}</small>
                </span>
                <Writes>
                  <Button
                    variant="default"
                    disabled={end.isPending}
                    aria-label={`End the session since ${formatInstant(since, zone)}`}
                    onClick={() => end.mutate(id)}
                  >
                    End
                  </Button>
                </Writes>
              </li>
            ))}
          </ul>
          <Writes>
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
              End all sessions
            </Button>
          </Writes>
        </>
      )}
    </section>
  );
}

function Disabling({ user, sessions }: { user: User; sessions: number }) {
  const viewer = useViewer();
  const [asked, setAsked] = useState(false);
  const disable = useSetDisabled();
  if (user.disabled)
    return (
      <section className={classes.block}>
        <h3>Account</h3>
        <p className={classes.sentence}>Disabled: this person cannot sign in and is in no list.</p>
        <Writes>
          <Button
            variant="default"
            loading={disable.isPending}
            onClick={() => disable.mutate({ user, disabled: false })}
          >
            Enable the account
          </Button>
        </Writes>
      </section>
    );
  const isOwn = user.id === viewer.id;
  return (
    <section className={classes.block}>
      <h3>Account</h3>
      <p className={classes.sentence}>
        {isOwn
          ? 'You cannot disable your own account. Ask somebody else who manages users.'
          : 'Disabling signs the person out everywhere at once. Everything they did stays.'}
      </p>
      {!isOwn && (
        <Writes>
          <Button variant="default" color="danger" onClick={() => setAsked(true)}>
            Disable the account
          </Button>
        </Writes>
      )}
      <DisableDialog opened={asked} user={user} sessions={sessions} onClose={() => setAsked(false)} />
    </section>
  );
}
