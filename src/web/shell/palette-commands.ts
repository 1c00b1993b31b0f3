// The palette's commands: pages, the viewer's tasks, people whose tasks they decide, actions and themes.
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { refusalAt } from '#core/access/access.ts';
import { isScope, scopes } from '#core/access/brands.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { accountPath, homePath, logoutPath, routes } from '#core/access/routes.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { readOnlyReason, type SignedIn, useViewer } from '#web/api/viewer.ts';
import { chooseTheme, type ThemeChoice } from '#web/ui/appearance.ts';
import { navigationTarget } from './navigation-target.ts';
import { openShortcutSheet } from './open-dialog.ts';

export type Command = {
  readonly id: string;
  readonly group: 'Pages' | 'Tasks' | 'People' | 'Actions';
  readonly title: string;
  /** Muted, after the title. */
  readonly note?: string;
  /** More search terms. */
  readonly keywords?: string;
  readonly run: () => unknown;
};

const tasksDocument = graphql(`
  query PaletteTasks {
    getTasks(limit: 100) {
      id
      title
      status
      sprintId
    }
  }
`);

const peopleDocument = graphql(`
  query PalettePeople {
    people {
      id
      displayName
      team
    }
  }
`);

type Go = ReturnType<typeof useRouter>['navigate'];

function pageCommands(entries: readonly VisibleEntry[], go: Go, parent = ''): Command[] {
  return entries.flatMap((entry) => [
    ...(entry.to
      ? [
          {
            id: `page:${entry.to}`,
            group: 'Pages' as const,
            title: entry.title,
            ...(parent ? { note: parent } : {}),
            run: () => go({ to: entry.path, search: entry.product ? { product: entry.product } : {} }),
          },
        ]
      : []),
    ...pageCommands(entry.children, go, entry.title),
  ]);
}

const themeCommands: readonly Command[] = (['light', 'dark', 'system'] as const satisfies ThemeChoice[]).map(
  (theme) => ({
    id: `theme:${theme}`,
    group: 'Actions',
    title: theme === 'system' ? 'Use the system theme' : `Use the ${theme} theme`,
    run: () => chooseTheme(theme),
  }),
);

const actions = (go: Go): Command[] => [
  { id: 'shortcuts', group: 'Actions', title: 'Show keyboard shortcuts', run: openShortcutSheet },
  ...themeCommands,
  { id: 'sign-out', group: 'Actions', title: 'Sign out', run: () => go({ to: logoutPath }) },
];

function newTaskCommands(viewer: SignedIn, go: Go): Command[] {
  const tasks = navigationTarget(viewer, 'tasks');
  if (!tasks || refusalAt(viewer, tasks.path) !== null || readOnlyReason(viewer) !== null) return [];
  const run = () => go({ to: '/top-5/tasks', search: { new: '1' } });
  return [{ id: 'new-task', group: 'Actions', title: 'New task', keywords: 'add create plan', run }];
}

/** All current commands. Tasks and people are added when they load; the palette works without them. */
export function useCommands(): Command[] {
  const viewer = useViewer();
  const router = useRouter();
  const go = router.navigate;
  const keepsTasks = navigationTarget(viewer, 'tasks') !== null;
  const approves = navigationTarget(viewer, 'approvals') !== null;
  const tasks = useQuery({
    queryKey: ['tasks', 'palette'],
    queryFn: ({ signal }) => request(tasksDocument, {}, { signal }),
    enabled: keepsTasks,
    gcTime: 0,
  });
  const people = useQuery({
    queryKey: ['people', 'palette'],
    queryFn: ({ signal }) => request(peopleDocument, {}, { signal }),
    enabled: keepsTasks && approves,
  });
  const home: Command = { id: 'home', group: 'Pages', title: routes[homePath].title, run: () => go({ to: homePath }) };
  const account: Command = {
    id: 'account',
    group: 'Pages',
    title: routes[accountPath].title,
    keywords: 'profile password passkeys authenticator app recovery codes sessions devices security two-step sign-in',
    run: () => go({ to: accountPath }),
  };
  const taskCommands = (tasks.data?.getTasks ?? []).map(
    (task): Command => ({
      id: `task:${task.id}`,
      group: 'Tasks',
      title: task.title,
      note: taskStatuses[task.status].title,
      run: () => go({ to: '/top-5/tasks', search: { task: task.id, sprint: task.sprintId } }),
    }),
  );
  const personCommands = (people.data?.people ?? []).map(
    (person): Command => ({
      id: `person:${person.id}`,
      group: 'People',
      title: person.displayName,
      ...(person.team && isScope(person.team) ? { note: scopes[person.team].title } : {}),
      run: () => go({ to: '/top-5/tasks', search: { person: person.id } }),
    }),
  );
  return [
    home,
    ...pageCommands(navigationFor(viewer), go),
    account,
    ...taskCommands,
    ...personCommands,
    ...newTaskCommands(viewer, go),
    ...actions(go),
  ];
}
