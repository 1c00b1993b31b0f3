import { Segmented } from '#web/ui/segmented.tsx';
import { choiceOf, type SprintChoice, sprintChoices } from './board/address.ts';
import type { Sprint } from './shared/queries.ts';

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
    <Segmented
      label="Sprint"
      segments={[...older, ...sprintChoices.map((value) => ({ value, label: titles[value] }))]}
      value={choice ?? sprint?.id ?? 'current'}
      onChange={onChoose}
    />
  );
}
