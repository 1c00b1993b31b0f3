import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Viewer } from '#core/access/access.ts';
import { callAccess } from '#core/access/call-access.ts';
import { roleLossWarnings } from '#core/access/holdings.ts';
import { applicationPermission } from '#core/access/permissions.ts';
import { givingChanges, knownPermissions, type RoleEdit } from '#core/access/role-changes.ts';
import { activePeople, listWords, plural } from '#core/base/formats.ts';
import { leftWithoutApproverWords } from '#core/people/approvers.ts';
import { asApiError, isUnanswered, mayPassLater } from '#web/api/api-error.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { titleOf } from '#web/shell/page-title.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { PermissionList } from '../shared/permission-list.tsx';
import classes from './difference-dialog.module.css';
import { countChanges, editsOf, inverseOf, type Pending, stepsOf } from './pending-roles.ts';
import {
  type Difference,
  type DifferenceGroup,
  differenceQuery,
  type ListedRole,
  leftQuery,
  rolesKey,
  saveRoles,
} from './role-queries.ts';
import { changesInWords } from './save-bar.tsx';

/** The title of the page that an address leads to. */
function titleAt(address: string): string {
  const { pathname, searchParams } = new URL(address, location.href);
  return titleOf(pathname, searchParams.get('product') ?? undefined);
}

const peopleInWords = (count: number): string => plural(count, 'person', 'people');

/** Who gains or loses which page: first the counts by page, then the people, grouped by the same changes. */
function PeopleDifference({ difference: { roles, pages, groups } }: { difference: Difference }) {
  const shutOut = groups.filter((group) => group.shutOut).reduce((sum, group) => sum + group.people.length, 0);
  if (groups.length === 0)
    return (
      <p className={classes.none}>
        {roles.some(({ people }) => people > 0)
          ? 'No one gains or loses access to a page.'
          : 'No active people have these roles, so no access changes.'}
      </p>
    );
  return (
    <>
      {shutOut > 0 && (
        <p className={classes.shutOut} role="alert">
          {peopleInWords(shutOut)} can no longer use the application at all.
        </p>
      )}
      {pages.length > 0 && (
        <table className={classes.pages}>
          <caption className="visually-hidden">How many people gain or lose each page</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Gain access</th>
              <th scope="col">Lose access</th>
            </tr>
          </thead>
          <tbody>
            {pages.map(({ address, title, gained, lost }) => (
              <tr key={address}>
                <th scope="row">{title}</th>
                <td data-sign={gained > 0 ? '+' : undefined}>{gained > 0 ? `+${gained}` : '–'}</td>
                <td data-sign={lost > 0 ? '−' : undefined}>{lost > 0 ? `−${lost}` : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3 className={classes.heading}>People affected</h3>
      <ul className={classes.groups}>
        {sameLines(groups).map((same) => (
          <Group key={same[0].people[0]?.id} same={same} />
        ))}
      </ul>
    </>
  );
}

type Same = readonly [DifferenceGroup, ...DifferenceGroup[]];

/** Groups that differ only in their landing page share one line. */
function sameLines(groups: Difference['groups']): Same[] {
  const effect = ({ gained, lost, shutOut, landing }: DifferenceGroup) =>
    JSON.stringify([gained, lost, shutOut, gained.length + lost.length === 0 && landing]);
  return [...Map.groupBy(groups, effect).values()].map((same) => same as [DifferenceGroup, ...DifferenceGroup[]]);
}

function Group({ same }: { same: Same }) {
  const [{ gained, lost, landing, shutOut }] = same;
  const count = same.reduce((sum, { people }) => sum + people.length, 0);
  const [open, setOpen] = useState(count <= 5);
  const one = count === 1;
  const titles = (list: DifferenceGroup['gained']) => list.map(({ title }) => title).join(', ');
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{peopleInWords(count)}</strong>
          {gained.length > 0 && (
            <span>
              {' '}
              {one ? 'gains' : 'gain'} {titles(gained)}
            </span>
          )}
          {lost.length > 0 && (
            <span>
              {' '}
              {one ? 'loses' : 'lose'} {shutOut ? 'everything' : titles(lost)}
            </span>
          )}
          {gained.length + lost.length === 0 && landing && <span> {one ? 'lands' : 'land'} on a different page</span>}
        </summary>
        {open && same.map((group) => <People key={group.people[0]?.id} group={group} />)}
      </details>
    </li>
  );
}

function People({ group: { people, landing, shutOut } }: { group: DifferenceGroup }) {
  return (
    <p className={classes.people}>
      {people.map(({ displayName }) => displayName).join(', ')}
      {landing && !shutOut && (
        <span className={classes.landing}>
          Landing page: {titleAt(landing.from)} → {titleAt(landing.to)}
        </span>
      )}
    </p>
  );
}

/** Changes in words, and their inverse. Null: the viewer couldn't give back what these take. */
export type SavedChanges = { readonly words: string; readonly back: Pending | null };

type Props = {
  readonly roles: readonly ListedRole[];
  readonly pending: Pending;
  /** Receives what was saved. */
  readonly onSaved: (saved: SavedChanges) => void;
  /** The answer was lost: it may have been saved. */
  readonly onUnanswered: (sent: SavedChanges) => void;
  readonly onClose: () => void;
};

/**
 * Saves what was reviewed. `stale` says why that is outdated; then nothing was saved, and the roles are
 * reread.
 */
function useSaving({ onSaved, onUnanswered }: Pick<Props, 'onSaved' | 'onUnanswered'>) {
  const client = useQueryClient();
  const [stale, setStale] = useState<string | null>(null);
  const readAgain = () => void client.invalidateQueries({ queryKey: rolesKey });
  const save = useMutation({
    mutationFn: ({ edits, seen }: Parameters<typeof saveRoles>[0] & { readonly made: SavedChanges }) =>
      saveRoles({ edits, seen }),
    meta: { what: 'Saving the roles', quiet: true },
    onSuccess: (_answer, { made }) => {
      readAgain();
      onSaved(made);
    },
    onError: (error, { made }) => {
      if (isUnanswered(error)) onUnanswered(made);
      if (asApiError(error).code !== 'CONFLICT') return;
      setStale(asApiError(error).message);
      readAgain();
    },
  });
  return { save, stale, readAgain };
}

/** Without one of these, nobody decides on tasks. */
const deciding: readonly string[] = [applicationPermission, ...callAccess.decisions];

/** A warning of people that nobody could decide for, and whether it is still being read. */
function useLeftWithoutApprover(edits: readonly RoleEdit[], taken: readonly string[]) {
  const isTaken = taken.some((permission) => deciding.includes(permission));
  const { data = [], isError, isLoading } = useQuery(leftQuery(edits, isTaken));
  const words = data.length > 0 ? leftWithoutApproverWords(data) : null;
  return { warning: isError ? 'Couldn’t check who this leaves without an approver' : words, isAsking: isLoading };
}

/** What the viewer loses, and what they couldn't give back, also because of what their own role loses. */
function lossWarnings(viewer: Viewer, { roles }: Difference): string[] {
  const own = roles.find(({ name, renamedFrom }) => (renamedFrom ?? name) === viewer.role)?.taken ?? [];
  const taken = new Set(roles.flatMap((role) => role.taken));
  return roleLossWarnings(viewer, knownPermissions([...taken]), knownPermissions(own));
}

/** Before they are sent: the roles can be reread before the answer comes. */
const withUndo = (viewer: Viewer, roles: readonly ListedRole[], pending: Pending, difference: Difference) => ({
  words: changesInWords(countChanges(roles, pending)),
  back: lossWarnings(viewer, difference).length === 0 ? inverseOf(roles, pending) : null,
});

/** The changes' effect on permissions and people, before anything is saved. */
export function DifferenceDialog({ roles, pending, onSaved, onUnanswered, onClose }: Props) {
  const edits = editsOf(roles, pending);
  const difference = useQuery(differenceQuery(edits));
  const { save, stale, readAgain } = useSaving({ onSaved, onUnanswered });
  const failure = save.error && asApiError(save.error).code !== 'CONFLICT' ? asApiError(save.error) : null;
  const { data } = difference;
  const taken = data?.roles.flatMap((role) => role.taken) ?? [];
  const viewer = useViewer();
  const { warning, isAsking } = useLeftWithoutApprover(edits, taken);
  const refused = difference.error ? asApiError(difference.error) : null;
  return (
    <Dialog opened title={`Save ${changesInWords(countChanges(roles, pending))}?`} onClose={onClose} width={640}>
      {stale && (
        <p className={classes.stale} role="alert">
          {stale}. Nothing was saved. Review the updated effect below.
        </p>
      )}
      {refused ? (
        <PanelError
          sentence={`${refused.message}.`}
          requestId={refused.statusCode >= 500 ? refused.requestId : undefined}
          {...(mayPassLater(refused) && { onRetry: readAgain })}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={4} />}>
          {data && (
            <section
              className={classes.content}
              aria-label="Effect of the changes"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs focus to be scrolled by keys.
              tabIndex={0}
              aria-busy={difference.isFetching}
            >
              <RoleSteps difference={data} />
              {lossWarnings(viewer, data).map((text) => (
                <Warning key={text} text={text} />
              ))}
              <Giving roles={roles} pending={pending} />
              <Warning text={warning} />
              <PeopleDifference difference={data} />
            </section>
          )}
        </Loading>
      )}
      {failure && (
        <p className={classes.failure} role="alert">
          {failure.message}
        </p>
      )}
      {/* Enabled while it is reread, or it would swallow a click: the server only saves what was reviewed. */}
      <DialogActions
        primary="Save"
        busy={save.isPending}
        disabled={!data || isAsking || refused !== null}
        onPrimary={() => data && save.mutate({ edits, seen: data.seen, made: withUndo(viewer, roles, pending, data) })}
        cancel="Keep editing"
      />
    </Dialog>
  );
}

function Warning({ text }: { text: string | null }) {
  return (
    text && (
      <p className={classes.stale} role="alert">
        {text}.
      </p>
    )
  );
}

/** Which roles a role alone lets people give from then on, and which no longer: they may have more by switch. */
const givingWords = (roles: readonly ListedRole[], pending: Pending): string[] =>
  givingChanges(stepsOf(roles, pending)).flatMap(({ role, given, lost }) => [
    ...(lost.length > 0 ? [`The role ${role} will no longer let people assign ${rolesInWords(lost)}.`] : []),
    ...(given.length > 0 ? [`The role ${role} will let people assign ${rolesInWords(given)}.`] : []),
  ]);

const rolesInWords = (names: readonly string[]): string =>
  `the ${names.length === 1 ? 'role' : 'roles'} ${listWords(names)}`;

const Giving = ({ roles, pending }: Pick<Props, 'roles' | 'pending'>) =>
  givingWords(roles, pending).map((words) => (
    <p key={words} className={classes.stale} role="alert">
      {words}
    </p>
  ));

function RoleSteps({ difference: { roles } }: { difference: Difference }) {
  return (
    <ul className={classes.roles}>
      {roles.map(({ id, name, renamedFrom, given, taken, people }) => (
        <li key={id}>
          <p className={classes.role}>
            <strong>{name}</strong>
            <span className={classes.quiet}>
              {renamedFrom && ` was ${renamedFrom} ·`} {activePeople(people)}
            </span>
          </p>
          <PermissionList sign="+" words="Adds" permissions={given} />
          <PermissionList sign="−" words="Removes" permissions={taken} />
        </li>
      ))}
    </ul>
  );
}
