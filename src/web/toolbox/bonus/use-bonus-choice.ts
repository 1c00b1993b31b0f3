// The page's person, sprint and line, kept in the address.
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';

export type BonusChoice = {
  readonly userId: string;
  readonly isOwn: boolean;
  /** Null: the current one. */
  readonly sprintId: string | null;
  readonly line: string | null;
  readonly choosePerson: (id: string) => void;
  readonly chooseSprint: (id: string | null) => void;
  readonly openLine: (line: string | null) => void;
};

export function useBonusChoice(): BonusChoice {
  const [search, change] = useAddress('/top-5/tools/bonus');
  const viewer = useViewer();
  const userId = search.person ?? viewer.id;
  return {
    userId,
    isOwn: userId === viewer.id,
    sprintId: search.sprint ?? null,
    line: search.line ?? null,
    choosePerson: (id) => change({ person: id === viewer.id ? null : id, line: null }),
    chooseSprint: (id) => change({ sprint: id, line: null }),
    openLine: (line) => change({ line }, { replace: line === null }),
  };
}
