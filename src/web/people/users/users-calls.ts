// Changes in user management. Every answer is the updated person.
import { type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { RemovableWay } from '#core/access/account-inputs.ts';
import { plural } from '#core/base/formats.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { useChange } from '#web/api/change.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { tiesQuery } from './bulk-calls.ts';
import { aboutPeople, keepUser, showUser, type User, userFields, userQuery } from './users-queries.ts';

const setTop5 = graphql(
  `
    mutation SetTop5($userId: ID!, $on: Boolean!) {
      setTop5(userId: $userId, on: $on) { ...ManagedUserFields }
    }
  `,
  [userFields],
);
const createUser = graphql(
  `
    mutation CreateUser($email: String!, $firstName: String, $lastName: String, $role: String, $roleVersion: String, $team: String, $approverId: [ID!], $top5: Boolean, $top5Invisible: Boolean, $reason: String) {
      createUser(email: $email, firstName: $firstName, lastName: $lastName, role: $role, roleVersion: $roleVersion, team: $team, approverId: $approverId, top5: $top5, top5Invisible: $top5Invisible, reason: $reason) { ...ManagedUserFields }
    }
  `,
  [userFields],
);
const updateUser = graphql(
  `
    mutation UpdateUser($userId: ID!, $version: String!, $email: String, $firstName: String, $lastName: String, $role: String, $roleVersion: String, $team: String, $approverId: [ID!], $top5: Boolean, $top5Invisible: Boolean, $permissions: [String!], $reason: String) {
      updateUser(userId: $userId, version: $version, email: $email, firstName: $firstName, lastName: $lastName, role: $role, roleVersion: $roleVersion, team: $team, approverId: $approverId, top5: $top5, top5Invisible: $top5Invisible, permissions: $permissions, reason: $reason) { ...ManagedUserFields }
    }
  `,
  [userFields],
);
const setDisabled = graphql(
  `
    mutation SetUserDisabled($userId: ID!, $disabled: Boolean!) {
      setUserDisabled(userId: $userId, disabled: $disabled) { ...ManagedUserFields }
    }
  `,
  [userFields],
);
const declineRole = graphql(`
  mutation DeclineRole($userId: ID!, $role: String!) {
    declineRole(userId: $userId, role: $role) { version }
  }
`);
const askForRole = graphql(`
  mutation AskForRole($userId: ID!, $role: String!) {
    askForRole(userId: $userId, role: $role) {
      rolesAsked { role by at }
    }
  }
`);
const withdrawRequest = graphql(`
  mutation WithdrawRoleRequest($userId: ID!, $role: String!) {
    withdrawRoleRequest(userId: $userId, role: $role) { version }
  }
`);
const makeLink = graphql(`
  mutation MakeSignInLink($userId: ID!) {
    makeSignInLink(userId: $userId) { kind token mailedTo mailFailed expiresAt }
  }
`);
const endSessions = graphql(`
  mutation EndUserSessions($userId: ID!, $sessionId: ID) {
    endUserSessions(userId: $userId, sessionId: $sessionId)
  }
`);

const removeWay = graphql(`
  mutation RemoveWayIn($userId: ID!, $kind: String!, $id: ID!) {
    removeWayIn(userId: $userId, kind: $kind, id: $id) { version }
  }
`);
const removeFactor = graphql(`
  mutation RemoveSecondFactor($userId: ID!, $kind: String!, $passkeyId: ID) {
    removeSecondFactor(userId: $userId, kind: $kind, passkeyId: $passkeyId) { required }
  }
`);
const resetFactors = graphql(`
  mutation ResetSecondFactor($id: ID!) {
    resetSecondFactor(id: $id) { required }
  }
`);

export type SignInLink = ResultOf<typeof makeLink>['makeSignInLink'];
export type NewUser = VariablesOf<typeof createUser>;
export type UserUpdate = VariablesOf<typeof updateUser>;

/** `isFinal`: the viewer couldn't reverse it, so no undo is offered. */
type Switch = { readonly user: User; readonly on: boolean; readonly isFinal?: boolean };

/** Moves a person between the lists optimistically; a refusal moves the switch back. */
export type TopFiveSwitch = (change: Switch) => void;

export function useTopFiveSwitch(): TopFiveSwitch {
  const client = useQueryClient();
  const send = async (userId: string, on: boolean) =>
    showUser(client, (await request(setTop5, { userId, on })).setTop5);
  const { mutate } = useChange({
    send: async ({ user, on }: Switch) => {
      await send(user.id, on);
      return on
        ? 0
        : client.fetchQuery(tiesQuery([user.id], true)).then(
            ({ openTasks }) => openTasks,
            () => 0,
          );
    },
    touches: [['people']],
    guess: ({ user, on }) => {
      showUser(client, { ...user, top5From: on ? 'direct' : null });
      return () => showUser(client, user);
    },
    done: (openTasks, { user, on, isFinal }) => ({
      message: `${user.displayName} ${on ? 'now uses S.T.A.R.T' : 'no longer uses S.T.A.R.T'}${
        openTasks === 0 ? '' : `. ${plural(openTasks, 'of their tasks stays', 'of their tasks stay')} open`
      }`,
      undo: isFinal ? undefined : () => send(user.id, !on),
    }),
  });
  return mutate;
}

/** The forms show errors next to the field. */
export function useCreateUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (fields: NewUser) => (await request(createUser, fields)).createUser,
    onSuccess: (user) => keepUser(client, user),
    meta: { quiet: true },
  });
}

export function useAskForRole(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (role: string) => {
      const { rolesAsked } = (await request(askForRole, { userId, role })).askForRole;
      // A person has one request at a time.
      return rolesAsked.map((asked) => ({ ...asked, own: asked.role === role }));
    },
    onSuccess: (rolesAsked) => {
      client.setQueryData(userQuery(userId).queryKey, (detail) => detail && { ...detail, rolesAsked });
      void client.invalidateQueries(aboutPeople);
    },
  });
}

/** Undo requests the role again. */
export function useWithdrawRequest(userId: string, askAgain: (role: string) => Promise<unknown>, onDone: () => void) {
  return useChange({
    send: (role: string) => request(withdrawRequest, { userId, role }),
    touches: [aboutPeople.queryKey],
    onDone,
    done: (_none, role) => ({
      message: `You withdrew the request for the role ${role}`,
      undo: () => askAgain(role),
    }),
  });
}

export function useDeclineRole(userId: string, onDecline?: (role: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (role: string) => (await request(declineRole, { userId, role })).declineRole,
    onSuccess: async (_none, role) => {
      onDecline?.(role);
      await client.invalidateQueries(aboutPeople);
      showToast({ message: `You declined the role ${role}` });
    },
  });
}

export function useUpdateUser(): UseMutationResult<User, ApiError, UserUpdate> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (fields: UserUpdate) => (await request(updateUser, fields)).updateUser,
    onSuccess: (user) => keepUser(client, user),
    onError: ({ code }, { userId }) => {
      if (code === 'CONFLICT') void client.invalidateQueries(userQuery(userId));
    },
    meta: { quiet: true },
  });
}

/** For a person who was just created: their version is read before, unless it is on screen. */
export function useGiveRole(userId: string) {
  const client = useQueryClient();
  const { mutateAsync: update } = useUpdateUser();
  return useMutation({
    mutationFn: async (fields: Pick<UserUpdate, 'role' | 'roleVersion' | 'reason'>) => {
      const { version } = await client.ensureQueryData(userQuery(userId));
      return update({ ...fields, userId, version });
    },
    meta: { quiet: true },
  });
}

export function useSetDisabled() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ user, disabled }: { user: User; disabled: boolean }) =>
      (await request(setDisabled, { userId: user.id, disabled })).setUserDisabled,
    onSuccess: (user) => {
      keepUser(client, user);
      showToast({
        about: `account:${user.id}`,
        message: `${user.displayName}’s account is ${user.disabled ? 'disabled' : `enabled. ${user.hasPassword ? 'Their password works again' : 'Send them a new invitation'}`}`,
      });
    },
  });
}

export const makeSignInLink = async (userId: string): Promise<SignInLink> =>
  (await request(makeLink, { userId })).makeSignInLink;

export const linkAddress = ({ kind, token }: SignInLink): string => `${location.origin}/#${kind}=${token}`;

export function useMakeLink(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => makeSignInLink(userId),
    onSuccess: ({ expiresAt }) => {
      // Shown as the open link also if reading the person again fails.
      client.setQueryData(
        userQuery(userId).queryKey,
        (detail) => detail && { ...detail, user: { ...detail.user, linkUntil: expiresAt } },
      );
      void client.invalidateQueries(aboutPeople);
    },
  });
}

export function useEndSessions(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: string | null) => (await request(endSessions, { userId, sessionId })).endUserSessions,
    onSuccess: (ended) => {
      showToast({ message: `Signed out ${plural(ended, 'session')}` });
      void client.invalidateQueries(userQuery(userId));
    },
  });
}

/** A removable row. A person has one authenticator app at most. */
export type WayToRemove =
  | { readonly kind: RemovableWay | 'passkey'; readonly id: string }
  | { readonly kind: 'authenticator' };

function removeOne(userId: string, way: WayToRemove): Promise<unknown> {
  if (way.kind === 'authenticator') return request(removeFactor, { userId, kind: way.kind });
  const { kind, id } = way;
  return kind === 'passkey'
    ? request(removeFactor, { userId, kind, passkeyId: id })
    : request(removeWay, { userId, kind, id });
}

/** Removing a link or the last way in changes the person's row, too. */
function useWayChange<Variables>(
  change: (variables: Variables) => Promise<unknown>,
  done: (variables: Variables) => string,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (_done, variables) => showToast({ message: done(variables) }),
    onSettled: () => void client.invalidateQueries(aboutPeople),
  });
}

export const useRemoveWay = (user: User) =>
  useWayChange(
    (way: WayToRemove) => removeOne(user.id, way),
    ({ kind }) => `${kind === 'session' ? 'Signed out' : 'Removed'}. ${user.displayName} was notified`,
  );
export const useResetFactors = (user: User) =>
  useWayChange(
    () => request(resetFactors, { id: user.id }),
    () => `Two-step sign-in reset for ${user.displayName}`,
  );
