import '@mantine/core/styles/FloatingIndicator.layer.css';
import { SegmentedControl } from '@mantine/core';
import { choiceOf, type SprintChoice, sprintChoices } from './task-address.ts';
import classes from './task-board-filters.module.css';
import type { Sprint } from './task-queries.ts';

const titles: Record<SprintChoice, string> = { previous: 'Previous', current: 'Current', next: 'Next' };

type Props = {
  readonly sprints: readonly Sprint[];
  readonly sprint: Sprint | null;
  readonly onChoose: (choice: string) => void;
};

/** Previous, Current, Next; an older sprint that a link leads to stands in front by its name. */
export function SprintSwitch({ sprints, sprint, onChoose }: Props) {
  const choice = choiceOf(sprints, sprint);
  const older = sprint && !choice ? [{ value: sprint.id, label: sprint.name }] : [];
  return (
    <SegmentedControl
      aria-label="Sprint"
      classNames={{ label: classes.segment ?? '' }}
      data={[...older, ...sprintChoices.map((value) => ({ value, label: titles[value] }))]}
      value={choice ?? sprint?.id ?? 'current'}
      onChange={onChoose}
    />
  );
}
