// The stats pages' sprint and scope, kept in the address to be linkable.
import { useQuery } from '@tanstack/react-query';
import { permittedScopes, type Scope } from '#core/access/brands.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { type StatsChoice, type StatsSprint, sprintsQuery } from './stats-queries.ts';

type Chosen = {
  readonly choice: StatsChoice;
  /** Newest first; empty while loading. */
  readonly sprints: readonly StatsSprint[];
  /** The selected one. */
  readonly sprint: StatsSprint | null;
  readonly previous: StatsSprint | null;
  readonly chooseSprint: (id: string | null) => void;
  readonly chooseScope: (scope: Scope | null) => void;
};

/** An unknown sprint or scope in the address is ignored. */
export function useStatsChoice(page: '/top-5/stats' | '/employee-stats'): Chosen {
  const [address, change] = useAddress(page);
  const viewer = useViewer();
  const sprints = useQuery(sprintsQuery).data ?? [];
  const named = sprints.find(({ id }) => id === address.sprint);
  const sprint = named ?? sprints.find(({ current }) => current) ?? null;
  const before = sprint ? sprints[sprints.indexOf(sprint) + 1] : undefined;
  const scope = address.scope && permittedScopes(viewer).includes(address.scope) ? address.scope : null;
  return {
    choice: { sprint: sprint?.id ?? null, scope },
    sprints,
    sprint,
    previous: before ?? null,
    // The current sprint needs no key: such a link always opens the current one.
    chooseSprint: (id) => change({ sprint: sprints.find((each) => each.id === id)?.current ? null : id }),
    chooseScope: (chosen) => change({ scope: chosen }),
  };
}
