// The palette's commands: pages and their tabs, tasks the viewer may see, people they decide for or manage,
// actions and themes.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { refusalAt } from '#core/access/access.ts';
import { isScope, scopes } from '#core/access/brands.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { roleEditorTabs } from '#core/access/role-editor-search.ts';
import { accountPath, homePath, logoutPath, type Path, routes } from '#core/access/routes.ts';
import { toolsTabsFor } from '#core/admin/tools-search.ts';
import { limits } from '#core/base/limits.ts';
import { searchWords } from '#core/base/search-words.ts';
import { personLabels } from '#core/people/people.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { approvalsTabs } from '#core/tasks/tasks-search.ts';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { readOnlyReason, type SignedIn, useViewer } from '#web/api/viewer.ts';
import { chooseTheme, type ThemeChoice } from '#web/ui/appearance.ts';
import { typingPauseMs } from '#web/ui/timing.ts';
import { navigationTarget } from './navigation-target.ts';
import { openNoticeChoices, openShortcutSheet, taskOfPalette } from './open-dialog.ts';

export type Command = {
  readonly id: string;
  readonly group: 'Pages' | 'Tasks' | 'People' | 'Actions';
  readonly title: string;
  /** Muted, after the title. */
  readonly note?: string;
  /** More search terms. */
  readonly keywords?: string;
  /** The server found it, by more than its title. */
  readonly isFound?: true;
  /** Leads nowhere else, so what is open stays open. */
  readonly staysHere?: true;
  readonly run: () => unknown;
};

const foundTasks = graphql(`
  query PaletteTasks($find: String!) {
    getTasks(find: $find) {
      id
      title
      status
      sprintId
      owner { id displayName }
    }
  }
`);

const foundUsers = graphql(`
  query PaletteUsers($find: String!) {
    managedUsers(find: $find, limit: 20) {
      people {
        id
        displayName
        email
        disabled
      }
    }
  }
`);

const foundPeople = graphql(`
  query PalettePeople($find: String, $ids: [ID!]) {
    people(find: $find, ids: $ids, limit: 20) {
      id
      displayName
      team
      disabled
      email
    }
  }
`);

type Router = ReturnType<typeof useRouter>;
type Go = Router['navigate'];

/** What people call pages of the navigation that have other names. */
const pageKeywords: Readonly<Record<string, string>> = {
  approvals: 'approve deny sign off decide inbox waiting',
  schedule: 'calendar meetings',
  timeTracker: 'timer time tracker hours',
  usermanagement: 'import people accounts invite enable disable view as',
};

function pageCommands(entries: readonly VisibleEntry[], go: Go, parent = ''): Command[] {
  return entries.flatMap((entry) => [
    ...(entry.to
      ? [
          {
            id: `page:${entry.to}`,
            group: 'Pages' as const,
            title: entry.title,
            ...(parent ? { note: parent } : {}),
            ...(pageKeywords[entry.key] ? { keywords: pageKeywords[entry.key] } : {}),
            run: () => go({ to: entry.path, search: entry.product ? { product: entry.product } : {} }),
          },
        ]
      : []),
    ...pageCommands(entry.children, go, entry.title),
  ]);
}

const toolsPage: Path = '/tools';
const tasksPage = '/top-5/tasks' satisfies Path;
const approvalsPage = '/top-5/approvals' satisfies Path;

/** Pages that others link to, and tabs of pages. */
function placeCommands(viewer: SignedIn, go: Go): Command[] {
  const [, ...toolsTabs] = toolsTabsFor(viewer);
  const places: readonly { to: Path; title?: string; keywords?: string; search?: Record<string, string> }[] = [
    ...toolsTabs.map(({ key, title }) => ({ to: toolsPage, title, search: { tab: key } })),
    { to: '/role-editor', title: roleEditorTabs.doctor, search: { tab: 'doctor' } },
    { to: '/role-qualifications' },
    { to: '/employee-stats' },
    { to: tasksPage, title: 'Previous sprint', search: { sprint: 'previous' } },
    { to: tasksPage, title: 'Next sprint', search: { sprint: 'next' } },
    { to: approvalsPage, title: approvalsTabs['sign-off'], search: { tab: 'sign-off' } },
    { to: approvalsPage, title: 'Due before the sprint ends', keywords: 'decide sitting monday', search: { due: '1' } },
    { to: approvalsPage, title: approvalsTabs.done, keywords: 'my decisions', search: { tab: 'done' } },
  ];
  return places
    .filter(({ to }) => refusalAt(viewer, to) === null)
    .map(({ to, title = routes[to].title, search = {}, ...rest }) => ({
      ...rest,
      id: `place:${to}:${title}`,
      group: 'Pages',
      title,
      ...(title === routes[to].title ? {} : { note: routes[to].title }),
      run: () => go({ to, search }),
    }));
}

const themeCommands: readonly Command[] = (['light', 'dark', 'system'] as const satisfies ThemeChoice[]).map(
  (theme) => ({
    id: `theme:${theme}`,
    group: 'Actions',
    title: theme === 'system' ? 'Use the system theme' : `Use the ${theme} theme`,
    staysHere: true,
    run: () => chooseTheme(theme),
  }),
);

const actions = (go: Go): Command[] => [
  {
    id: 'notices',
    group: 'Actions',
    title: 'Notification settings',
    keywords: 'choose notifications mail email',
    staysHere: true,
    run: openNoticeChoices,
  },
  { id: 'shortcuts', group: 'Actions', title: 'Show keyboard shortcuts', staysHere: true, run: openShortcutSheet },
  ...themeCommands,
  { id: 'sign-out', group: 'Actions', title: 'Sign out', run: () => go({ to: logoutPath }) },
];

function newCommands(viewer: SignedIn, go: Go): Command[] {
  if (readOnlyReason(viewer) !== null) return [];
  const news = [
    { to: tasksPage, id: 'new-task', title: 'New task', keywords: 'add create plan' },
    { to: tasksPage, id: 'close-week', title: 'Close the week', keywords: 'recap done carry over learned monday' },
    { to: '/usermanagement', id: 'invite', title: 'New person', keywords: 'invite a person add create user account' },
  ] as const;
  return news
    .filter(({ to }) => refusalAt(viewer, to) === null)
    .map(({ to, ...command }) => ({
      ...command,
      group: 'Actions',
      run: () =>
        command.id === 'close-week' ? go({ to: homePath, search: { close: '1' } }) : go({ to, search: { new: '1' } }),
    }));
}

/** For the viewer's own task that had the focus on My week or the board. */
function repeatCommand(viewer: SignedIn, path: string, go: Go): Command[] {
  const task = taskOfPalette();
  const isBoard = path === tasksPage;
  if (task?.ownerId !== viewer.id || !(isBoard || path === homePath)) return [];
  if (readOnlyReason(viewer) !== null || refusalAt(viewer, tasksPage) !== null) return [];
  return [
    {
      ...{ id: 'repeat-task', group: 'Actions', title: 'Repeat this task', keywords: 'recurring every week month' },
      run: () => go({ to: tasksPage, search: (old) => ({ ...(isBoard ? old : {}), task: task.id, repeat: '1' }) }),
    },
  ];
}

const isAllowed = (viewer: SignedIn, call: (typeof callAccess)['tasks' | 'people']): boolean =>
  callRefusal(viewer, call) === null;

/** The server's answer for a text, for people who may ask. */
function useSearch<Answer>(kind: string, find: string, may: boolean, read: (signal: AbortSignal) => Promise<Answer>) {
  return useQuery({
    queryKey: [kind, 'palette', find],
    queryFn: ({ signal }) => read(signal),
    enabled: find !== '' && may,
    gcTime: 0,
  });
}

type ChosenTask = { readonly id: string; readonly ownerId: string; readonly sprint: string };

let latestChosen = '';

/** Opens the task on the board that it is on, if the viewer can open that board. */
async function openTask(task: ChosenTask, viewer: SignedIn, decides: boolean, { navigate, history }: Router) {
  const { id, ownerId, sprint } = task;
  const page = refusalAt(viewer, tasksPage) === null ? tasksPage : approvalsPage;
  const boardOf = async () => {
    if (page !== tasksPage) return {};
    if (ownerId === viewer.id) return { sprint };
    const owners = decides ? (await request(foundPeople, { ids: [ownerId] })).people : [];
    return owners.length > 0 ? { person: ownerId, sprint } : {};
  };
  const { href } = history.location;
  latestChosen = id;
  // The task also opens without an answer.
  const board = await boardOf().catch(() => ({}));
  // The viewer went elsewhere, or chose another task, before the answer.
  if (history.location.href !== href || latestChosen !== id) return;
  await navigate({ to: page, search: { ...board, task: id } });
}

/** How long results wait for the ones that belong above them. */
const orderWaitMs = 1_000;

function tasksNote({ team, disabled }: { readonly team: string | null; readonly disabled: boolean | null }): string {
  if (disabled) return 'Tasks · Disabled account';
  return team && isScope(team) ? `Tasks · ${scopes[team].title}` : 'Tasks';
}

/** People, tasks and accounts that the server finds. */
function useFound(text: string, viewer: SignedIn, router: Router) {
  const go = router.navigate;
  const cut = text.trim().slice(0, limits.search);
  const wanted = searchWords(cut).length > 0 ? cut : '';
  const [find] = useDebouncedValue(wanted, typingPauseMs);
  const [waited] = useDebouncedValue(find, orderWaitMs);
  const decides = navigationTarget(viewer, 'tasks') !== null && navigationTarget(viewer, 'approvals') !== null;
  const [mayTasks, mayUsers] = [isAllowed(viewer, callAccess.tasks), isAllowed(viewer, callAccess.people)];
  const people = useSearch('people', find, decides, (signal) => request(foundPeople, { find }, { signal }));
  const tasks = useSearch('tasks', find, mayTasks, (signal) => request(foundTasks, { find }, { signal }));
  const users = useSearch('accounts', find, mayUsers, (signal) => request(foundUsers, { find }, { signal }));
  // The rows of an earlier text are no answer to this one.
  if (find !== wanted) {
    const isSearching = (decides || mayTasks || mayUsers) && wanted !== '';
    return { found: [], isSearching, mayFindFirst: isSearching, problem: null };
  }
  const decided = people.data?.people ?? [];
  const labelOf = personLabels(decided);
  const isFresh = waited !== find;
  // Each group waits for the one above it, but not for long: an early Enter takes the first result.
  const accounts = people.isLoading && isFresh ? undefined : users.data;
  const listed = (people.isLoading || users.isLoading) && isFresh ? undefined : tasks.data;
  const found = [
    ...decided.map(
      (person): Command => ({
        ...{ id: `person:${person.id}`, group: 'People', title: labelOf(person), isFound: true },
        note: tasksNote(person),
        run: () => go({ to: tasksPage, search: { person: person.id } }),
      }),
    ),
    ...(accounts?.managedUsers.people ?? []).map(
      ({ id, displayName, email, disabled }): Command => ({
        ...{ id: `user:${id}`, group: 'People', title: displayName, isFound: true },
        note: disabled ? 'Disabled account' : email,
        run: () => go({ to: '/usermanagement', search: { person: id } }),
      }),
    ),
    ...(listed?.getTasks ?? []).map(
      ({ id, title, status, owner, sprintId }): Command => ({
        ...{ id: `task:${id}`, group: 'Tasks', title, isFound: true },
        note: `${owner.displayName} · ${taskStatuses[status].title}`,
        run: () => openTask({ id, ownerId: owner.id, sprint: sprintId }, viewer, decides, router),
      }),
    ),
  ];
  const searches = [people, tasks, users];
  const problem = searches.find(({ error }) => error)?.error?.message ?? null;
  const isSearching = searches.some(({ isLoading }) => isLoading);
  return { found, isSearching, mayFindFirst: isSearching && isFresh, problem };
}

/**
 * All current commands, and the state of the search for more. Tasks and people are added when they load; the
 * palette works without them.
 */
export function useCommands(text: string) {
  const viewer = useViewer();
  const router = useRouter();
  const go = router.navigate;
  const home: Command = {
    ...{ id: 'home', group: 'Pages', title: routes[homePath].title, keywords: 'home dashboard start' },
    run: () => go({ to: homePath }),
  };
  const account: Command = {
    id: 'account',
    group: 'Pages',
    title: routes[accountPath].title,
    keywords:
      'profile password passkeys authenticator app recovery codes sessions devices security two-step sign-in ' +
      'time away vacation holiday absence delegate',
    run: () => go({ to: accountPath }),
  };
  const { found, ...state } = useFound(text, viewer, router);
  const commands = [
    home,
    ...pageCommands(navigationFor(viewer), go),
    ...placeCommands(viewer, go),
    account,
    ...found,
    ...repeatCommand(viewer, router.state.location.pathname, go),
    ...newCommands(viewer, go),
    ...actions(go),
  ];
  return { commands, ...state };
}
