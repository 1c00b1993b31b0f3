// What the address of the tasks page says: whose board, which sprint, which brands, how it is shown and which task is open.
import { useCallback, useMemo } from 'react';
import { type Category, categories, isCategory } from '#core/access/brands.ts';
import { useAddress, writeSearch } from '#web/shell/address.ts';
import type { Sprint } from '../shared/queries.ts';

export const sprintChoices = ['previous', 'current', 'next'] as const;
export type SprintChoice = (typeof sprintChoices)[number];
export type TasksView = 'board' | 'list';

/** The sprint that the address means: by its place beside the current one, or by its id. */
export function sprintOf(sprints: readonly Sprint[], choice: string): Sprint | null {
  const current = sprints.findIndex((sprint) => sprint.current);
  const step = (sprintChoices as readonly string[]).indexOf(choice) - 1;
  if (step >= -1) return (current < 0 ? undefined : sprints[current + step]) ?? null;
  return sprints.find(({ id }) => id === choice) ?? null;
}

/** The place beside the current sprint, or null for one further away. */
export function choiceOf(sprints: readonly Sprint[], sprint: Sprint | null): SprintChoice | null {
  return sprintChoices.find((choice) => sprintOf(sprints, choice)?.id === sprint?.id) ?? null;
}

const separator = ',';

/** Known brands only, in their own order. */
function readBrands(text: string | undefined): Category[] {
  const named = (text ?? '').split(separator).filter(isCategory);
  return categories.filter((category) => named.includes(category));
}

export type TasksAddress = {
  readonly person: string | null;
  readonly sprint: string;
  readonly brands: readonly Category[];
  readonly view: TasksView;
  readonly task: string | null;
  /** The page before asks for a new task. */
  readonly creates: boolean;
};

export function useTasksAddress() {
  const [search, change] = useAddress();
  const { person, sprint, brand, view, task, new: created } = search;
  const address: TasksAddress = useMemo(
    () => ({
      person: person ?? null,
      sprint: sprint ?? 'current',
      brands: readBrands(brand),
      view: view === 'list' ? 'list' : 'board',
      task: task ?? null,
      creates: created !== undefined,
    }),
    [person, sprint, brand, view, task, created],
  );
  const hrefOf = useCallback((taskId: string) => writeSearch({ ...search, task: taskId }), [search]);
  const openTask = useCallback((taskId: string) => change({ task: taskId }), [change]);
  return {
    address,
    hrefOf,
    openTask,
    beginTask: useCallback(() => change({ new: null }, { replace: true }), [change]),
    /** Without a step of its own: the way back leads to where the task was opened from. */
    stepToTask: (taskId: string) => change({ task: taskId }, { replace: true }),
    closeTask: () => change({ task: null }, { replace: true }),
    choosePerson: (id: string | null) => change({ person: id, task: null }),
    chooseSprint: (choice: string) => change({ sprint: choice === 'current' ? null : choice, task: null }),
    chooseBrands: (brands: readonly string[]) => change({ brand: brands.join(separator) || null }, { replace: true }),
    chooseView: (next: TasksView) => change({ view: next === 'board' ? null : next }, { replace: true }),
  };
}
