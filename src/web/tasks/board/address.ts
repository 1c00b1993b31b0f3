// The tasks page's sprint in the address, and functions that change it.
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Category } from '#core/access/brands.ts';
import { type SprintChoice, sprintChoices } from '#core/tasks/tasks-search.ts';
import { useAddress, writeSearch } from '#web/shell/address.ts';
import type { Sprint } from '../shared/queries.ts';

export type TasksView = 'board' | 'list';

/** The sprint in the address: relative to the current one, or by id. */
export function sprintOf(sprints: readonly Sprint[], choice: string): Sprint | null {
  const current = sprints.findIndex((sprint) => sprint.current);
  const step = (sprintChoices as readonly string[]).indexOf(choice) - 1;
  if (step >= -1) return (current < 0 ? undefined : sprints[current + step]) ?? null;
  return sprints.find(({ id }) => id === choice) ?? null;
}

/** The position relative to the current sprint, or null for one further away. */
export function choiceOf(sprints: readonly Sprint[], sprint: Sprint | null): SprintChoice | null {
  return sprintChoices.find((choice) => sprintOf(sprints, choice)?.id === sprint?.id) ?? null;
}

export function useTasksAddress() {
  const [search, change] = useAddress('/top-5/tasks');
  const navigate = useNavigate();
  const hrefOf = useCallback((taskId: string) => writeSearch({ ...search, task: taskId }), [search]);
  const isOpen = search.task !== undefined;
  const openTask = useCallback((taskId: string) => change({ task: taskId }, { replace: isOpen }), [change, isOpen]);
  return {
    search,
    hrefOf,
    /** Without a history entry beside an open one: going back returns to where the first was opened. */
    openTask,
    stepToTask: (taskId: string) => change({ task: taskId }, { replace: true }),
    closeTask: () => change({ task: null }, { replace: true }),
    /** Also from another page, where its message can still be. */
    showTask: (task: string) => navigate({ to: '/top-5/tasks', search: { ...search, brand: undefined, task } }),
    choosePerson: (id: string | null) => change({ person: id, task: null }),
    chooseSprint: (choice: string) => change({ sprint: choice === 'current' ? null : choice, task: null }),
    chooseBrands: (brand: Category[]) => change({ brand }, { replace: true }),
    chooseView: (next: TasksView) => change({ view: next === 'list' ? next : null }, { replace: true }),
  };
}
