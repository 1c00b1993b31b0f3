// The page's person, sprint and line, kept in the address.
import { useState } from 'react';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { type BonusOverview, openingSprint } from './bonus-queries.ts';

export type BonusChoice = {
  readonly userId: string;
  readonly isOwn: boolean;
  /** Null: the current one, while the sprints are loading. */
  readonly sprintId: string | null;
  readonly line: string | null;
  readonly choosePerson: (id: string) => void;
  readonly chooseSprint: (id: string) => void;
  readonly openLine: (line: string | null) => void;
};

export function useBonusChoice(overview: BonusOverview | undefined): BonusChoice {
  const [search, change] = useAddress('/top-5/tools/bonus');
  const [opening, setOpening] = useState<string | null>(null);
  // Stays while the page is open, also when that sprint settles.
  const first = overview ? openingSprint(overview) : null;
  if (opening === null && first !== null) setOpening(first);
  const viewer = useViewer();
  const userId = search.person ?? viewer.id;
  return {
    userId,
    isOwn: userId === viewer.id,
    sprintId: search.sprint ?? opening,
    line: search.line ?? null,
    choosePerson: (id) => change({ person: id === viewer.id ? null : id, line: null }),
    chooseSprint: (id) => change({ sprint: id, line: null }),
    openLine: (line) => change({ line }, { replace: line === null }),
  };
}
