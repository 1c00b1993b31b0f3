import { config } from '#web/api/config.ts';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { sprintLabel } from './sprint-words.ts';
import type { StatsSprint } from './stats-queries.ts';

type Props = {
  readonly sprints: readonly StatsSprint[];
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
};

export function SprintSelect({ sprints, chosen, onChoose }: Props) {
  const zone = config().companyTimeZone;
  return (
    <SearchSelect
      aria-label="Sprint"
      w={240}
      data={sprints.map((sprint) => ({ value: sprint.id, label: sprintLabel(sprint, zone) }))}
      value={chosen}
      onChange={onChoose}
      allowDeselect={false}
      nothingFoundMessage="No matching sprints"
    />
  );
}
