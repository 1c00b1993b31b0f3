import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { ownAccessRefusal } from '#core/access/holdings.ts';
import { signInRefusal } from '#core/people/accounts.ts';
import { isRoleAsked } from '#core/people/role-requests.ts';
import { config } from '#web/api/config.ts';
import { useLiveNotices, useReadAgain } from '#web/api/live.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Age, useNow } from '#web/ui/age.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { lockedRoles, RoleDifference, RoleOption } from './role-fields.tsx';
import classes from './user-fields.module.css';
import { useAskForRole, useDeclineRole, useWithdrawRequest } from './users-calls.ts';
import { rolesQuery, type User, type UserDetail, userQuery } from './users-queries.ts';

type Props = {
  readonly user: User;
  /** The person's permissions: a role adds nothing by repeating them. */
  readonly held?: readonly string[];
  /** The direct grants among them. */
  readonly grants?: readonly string[];
  /** The role that the form has now, which says what it changes. */
  readonly chosenRole?: string;
  /** The open requests, where the person's details are read. */
  readonly asked?: UserDetail['rolesAsked'];
  /** Asks for this role at once. */
  readonly wanted?: string | null;
  /** Gives the requested role. */
  readonly onGive?: (role: string) => void;
  /** Whether something is still checked before it can be given. */
  readonly isAsking?: boolean;
  /** The requested role was declined. */
  readonly onDecline?: (role: string) => void;
};

/** Who asked the admins for which role, and a request for one that the viewer can't give. */
export function AskForRole(props: Props) {
  const { user, held = [], grants, chosenRole, asked, wanted = null, onGive, isAsking = false, onDecline } = props;
  const viewer = useViewer();
  const ask = useAskForRole(user.id);
  const { data: roles = [] } = useQuery(rolesQuery);
  const [picked, setPicked] = useState(wanted);
  const withdraw = useWithdrawRequest(user.id, ask.mutateAsync, ask.reset);
  useEffect(() => {
    if (wanted !== null) ask.mutate(wanted);
  }, [wanted, ask.mutate]);
  // A request and its answer are notifications.
  useLiveNotices(useReadAgain(userQuery(user.id).queryKey));
  const open = asked ?? ask.data ?? [];
  const locked = lockedRoles(viewer, roles, held);
  const names = [...locked].filter((name) => name !== user.role);
  const isFixed = (ownAccessRefusal(viewer, user.id) ?? signInRefusal(viewer, user)) !== null;
  return (
    <>
      {open.map(({ role, by, at, own }) => (
        <Fragment key={role}>
          <p className={classes.hint} role="status">
            {by} requested the role {role} · <Age instant={at} zone={config().companyTimeZone} ago />
          </p>
          {own && <Withdraw role={role} isPending={withdraw.isPending} onWithdraw={withdraw.mutate} />}
          {onGive && isAdmin(viewer) && role !== user.role && (
            <Answer userId={user.id} {...{ role, onGive, isAsking, onDecline }}>
              {role !== chosenRole && <RoleDifference roles={roles} before={user.role} after={role} grants={grants} />}
            </Answer>
          )}
        </Fragment>
      ))}
      {names.length > 0 && !isFixed && <Ask {...{ names, open, ask }} picked={picked} onPick={setPicked} />}
    </>
  );
}

type AskProps = {
  /** The roles that the viewer can't give. */
  readonly names: readonly string[];
  readonly open: UserDetail['rolesAsked'];
  readonly ask: ReturnType<typeof useAskForRole>;
  readonly picked: string | null;
  readonly onPick: (role: string | null) => void;
};

function Ask({ names, open, ask, picked, onPick }: AskProps) {
  const now = useNow();
  // Once the role was given, nobody requests it.
  const chosen = names.find((name) => name === picked) ?? null;
  const isAsked = chosen !== null && isRoleAsked(open, chosen, now);
  return (
    <div className={classes.ask}>
      <SearchSelect
        size="sm"
        label="Request a role from an admin"
        exact
        placeholder="Choose a role"
        data={[...names]}
        value={chosen}
        onChange={onPick}
        renderOption={({ option }) => <RoleOption label={option.label} locked />}
      />
      <Writes>
        <Button
          size="sm"
          variant="default"
          disabled={chosen === null || isAsked}
          loading={ask.isPending}
          onClick={() => chosen !== null && ask.mutate(chosen)}
        >
          {isAsked ? 'Requested' : 'Request role'}
        </Button>
      </Writes>
    </div>
  );
}

type WithdrawProps = {
  readonly role: string;
  readonly isPending: boolean;
  readonly onWithdraw: (role: string) => void;
};

/** For the person who made the request. */
function Withdraw({ role, isPending, onWithdraw }: WithdrawProps) {
  return (
    <Writes>
      <div className={classes.answer}>
        <Button
          size="sm"
          variant="default"
          aria-label={`Withdraw request for ${role}`}
          loading={isPending}
          onClick={() => onWithdraw(role)}
        >
          Withdraw request
        </Button>
      </div>
    </Writes>
  );
}

type AnswerProps = {
  readonly userId: string;
  readonly role: string;
  readonly onGive: (role: string) => void;
  readonly isAsking: boolean;
  readonly onDecline: Props['onDecline'];
  /** What it changes. */
  readonly children: ReactNode;
};

/** An admin's answer to the request. Giving the role saves the person, which may need a proof or a reason. */
function Answer({ userId, role, onGive, isAsking, onDecline, children }: AnswerProps) {
  const decline = useDeclineRole(userId, onDecline);
  return (
    <>
      {children}
      <Writes>
        <div className={classes.answer}>
          <Button size="sm" disabled={decline.isPending || isAsking} onClick={() => onGive(role)}>
            Give {role}
          </Button>
          <Button
            size="sm"
            variant="default"
            aria-label={`Decline ${role}`}
            loading={decline.isPending}
            onClick={() => decline.mutate(role)}
          >
            Decline
          </Button>
        </div>
      </Writes>
    </>
  );
}
