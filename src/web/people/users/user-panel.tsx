import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { awayUntilWords } from '#core/people/absences.ts';
import { closingRefusal, signInRefusal } from '#core/people/accounts.ts';
import { isErased } from '#core/people/people.ts';
import { ViewAsButton } from '#web/access/shared/view-as-button.tsx';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useHold } from '#web/ui/dialog.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { OneOfList } from '../shared/one-of-list.tsx';
import { DisableDialog, ReassignLink } from './disable-dialog.tsx';
import { SignInLinkView } from './sign-in-link.tsx';
import { UserForm } from './user-form.tsx';
import classes from './user-panel.module.css';
import { UserPermissions, useGrants } from './user-permissions.tsx';
import { UserWays } from './user-ways.tsx';
import { useMakeLink, useSetDisabled } from './users-calls.ts';
import { type User, type UserDetail, userQuery } from './users-queries.ts';

type Props = {
  readonly userId: string | null;
  readonly onClose: () => void;
};

/** One person next to the list: settings, permissions, and ways to sign in. */
export function UserPanel({ userId, onClose }: Props) {
  const { data } = useQuery({ ...userQuery(userId ?? ''), enabled: userId !== null });
  return (
    <SidePanel inAddress opened={userId !== null} title={data?.user.displayName ?? 'Person'} onClose={onClose}>
      {userId !== null && <Content key={userId} userId={userId} onClose={onClose} />}
    </SidePanel>
  );
}

function Content({ userId, onClose }: Props & { userId: string }) {
  const query = useQuery(userQuery(userId));
  return (
    <OneOfList query={query} what="person" onClose={onClose}>
      {(detail) => (isErased(detail.user) ? <Erased user={detail.user} /> : <Parts detail={detail} />)}
    </OneOfList>
  );
}

function Erased({ user: { displayName } }: { user: User }) {
  return (
    <p className={classes.sentence}>
      This account was erased, which can’t be undone. Company records such as tasks stay under the name {displayName}.
    </p>
  );
}

function Parts({ detail }: { detail: UserDetail }) {
  const link = useMakeLink(detail.user.id);
  const grants = useGrants(detail);
  const { user } = detail;
  const [tab, setTab] = useState<string | null>('person');
  const [isRevoked, setRevoked] = useState(false);
  const inviteAgain = () => {
    setTab('account');
    if (detail.reachRefusal === null || detail.linksAreMailed) link.mutate();
  };
  return (
    <>
      <AwaySentence user={user} />
      <Tabs value={tab} onChange={setTab} keepMounted={false} keepMountedMode="display-none">
        <Tabs.List>
          <Tabs.Tab value="person">Person</Tabs.Tab>
          <Tabs.Tab value="permissions">
            Permissions{grants.changed.size > 0 && <span title="Unsaved changes"> •</span>}
          </Tabs.Tab>
          <Tabs.Tab value="account">Sign-in</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="person" className={classes.part ?? ''}>
          {user.disabled && (
            <p className={classes.sentence}>
              This account is disabled. {user.displayName} can’t sign in. To enable it, go to Sign-in.{' '}
              {user.approves && <ReassignLink user={user} />}
            </p>
          )}
          {isRevoked && user.linkUntil === null && <RevokedLink user={user} link={link} onInvite={inviteAgain} />}
          <UserForm detail={detail} onLinkRevoked={() => setRevoked(true)} />
        </Tabs.Panel>
        <Tabs.Panel value="permissions" className={classes.part ?? ''}>
          <ViewAsButton as={{ personId: detail.user.id }} label="View as this person" />
          <UserPermissions detail={detail} grants={grants} />
        </Tabs.Panel>
        {/* A link is shown once: it stays, and the panel asks before it closes, on every tab. */}
        <Tabs.Panel value="account" className={classes.part ?? ''} keepMounted={!link.isIdle}>
          <UserAccount detail={detail} link={link} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Admins change anyone's time away, next to the approvers. */
function AwaySentence({ user: { id, awayUntil } }: { user: User }) {
  const viewer = useViewer();
  if (!awayUntil) return null;
  return (
    <p className={classes.sentence}>
      {awayUntilWords(awayUntil)}.{' '}
      {isAdmin(viewer) && (
        <Link to="/approvermanagement" search={{ open: id }} className={classes.link}>
          Change time away
        </Link>
      )}
    </p>
  );
}

/** After a corrected address. */
function RevokedLink({ user, link, onInvite }: MakingLink & { user: User; onInvite: () => void }) {
  return (
    <section className={classes.block} aria-label="New link">
      <p role="status" className={classes.sentence}>
        The email address changed, so the earlier one-time link no longer works.
      </p>
      <Writes>
        <Button variant="default" loading={link.isPending} onClick={onInvite}>
          {createLinkWords(user)}
        </Button>
      </Writes>
    </section>
  );
}

type Controlled = { readonly user: User; readonly controlRefusal: string | null };
type MakingLink = { readonly link: ReturnType<typeof useMakeLink> };
type Reached = MakingLink & { readonly user: User; readonly reachRefusal: string | null; readonly isMailed: boolean };

/** How this person signs in: the password, the sessions, the account itself. */
function UserAccount({
  detail: { user, waysIn, controlRefusal, reachRefusal, linksAreMailed },
  link,
}: MakingLink & { detail: UserDetail }) {
  const viewer = useViewer();
  const refusal = signInRefusal(viewer, user);
  if (refusal) return <p className={classes.sentence}>{refusal.message}.</p>;
  const closing = closingRefusal(viewer, user);
  return (
    <>
      {!user.disabled && <Password user={user} reachRefusal={reachRefusal} isMailed={linksAreMailed} link={link} />}
      {closing ? (
        <p className={classes.sentence}>{closing.message}.</p>
      ) : (
        waysIn && <UserWays user={user} ways={waysIn} />
      )}
      <Disabling user={user} sessions={waysIn?.sessions.length ?? 0} controlRefusal={controlRefusal} />
    </>
  );
}

const createLinkWords = ({ hasPassword }: User): string => (hasPassword ? 'Create password link' : 'Create invitation');

function linkWords({ displayName, hasPassword }: User): string {
  if (hasPassword)
    return `A one-time link lets ${displayName} set a new password within 24 hours. Setting it signs them out everywhere.`;
  const provider = config().singleSignOn?.name;
  return `${displayName} has no password yet. A one-time link lets them set one within 7 days${provider ? `, or sign in with ${provider.replace(/^your /, 'their ')}` : ''}.`;
}

function Password({ user, reachRefusal, isMailed, link }: Reached) {
  useHold(link.isPending);
  const { companyTimeZone: zone } = config();
  return (
    <section className={classes.block}>
      <h3>{user.hasPassword ? 'Password' : 'Invitation'}</h3>
      <p className={classes.sentence}>
        {linkWords(user)}
        {user.linkUntil !== null &&
          ` The current link expires ${formatInstant(user.linkUntil, zone)}. A new one replaces it.`}
      </p>
      {reachRefusal !== null && (
        <p className={classes.sentence}>
          {isMailed ? 'The link goes to their mailbox. You won’t see it.' : `${reachRefusal}.`}
        </p>
      )}
      <SignInLinkView userId={user.id} link={link.data} />
      <Writes>
        <Button
          variant="default"
          disabled={reachRefusal !== null && !isMailed}
          loading={link.isPending}
          // A double-click's second click would send a second mail and revoke the first link.
          onClick={(event) => event.detail < 2 && link.mutate()}
        >
          {createLinkWords(user)}
        </Button>
      </Writes>
    </section>
  );
}

function Disabling({ user, sessions, controlRefusal }: Controlled & { sessions: number }) {
  const viewer = useViewer();
  const [asked, setAsked] = useState(false);
  const disable = useSetDisabled();
  if (user.disabled)
    return (
      <section className={classes.block}>
        <h3>Account</h3>
        <p className={classes.sentence}>
          This account is disabled. {user.displayName} can’t sign in. {controlRefusal !== null && `${controlRefusal}. `}
          {user.approves && <ReassignLink user={user} />}
        </p>
        {isAdmin(viewer) && (
          <p className={classes.sentence}>
            To erase it permanently, an operator runs{' '}
            <code>
              npm run admin -- erase-person {user.id} {user.email}
            </code>{' '}
            on the server.
          </p>
        )}
        <Writes>
          <Button
            variant="default"
            disabled={controlRefusal !== null}
            loading={disable.isPending}
            onClick={() => disable.mutate({ user, disabled: false })}
          >
            Enable account
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
          ? 'You can’t disable your own account. Ask someone else with access to User Management.'
          : `Disabling signs ${user.displayName} out everywhere. Everything they did stays.`}
      </p>
      {!isOwn && (
        <Writes>
          <Button variant="default" color="danger" onClick={() => setAsked(true)}>
            Disable account
          </Button>
        </Writes>
      )}
      <DisableDialog
        opened={asked}
        user={user}
        sessions={sessions}
        controlRefusal={controlRefusal}
        onClose={() => setAsked(false)}
      />
    </section>
  );
}
