// Whose bonus, which sprint and which line the page shows, kept in the address.
import { type BonusComponent, isBonusComponent } from '#core/toolbox/bonus.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';

export type BonusChoice = {
  readonly userId: string;
  readonly isOwn: boolean;
  /** Null: the current one. */
  readonly sprintId: string | null;
  readonly line: BonusComponent | null;
  readonly choosePerson: (id: string | null) => void;
  readonly chooseSprint: (id: string | null) => void;
  readonly openLine: (line: BonusComponent | null) => void;
};

const isId = (text: string | undefined): text is string => text !== undefined && /^[1-9]\d{0,17}$/.test(text);

export function useBonusChoice(): BonusChoice {
  const [search, change] = useAddress();
  const viewer = useViewer();
  const userId = isId(search.person) ? search.person : viewer.id;
  return {
    userId,
    isOwn: userId === viewer.id,
    sprintId: isId(search.sprint) ? search.sprint : null,
    line: search.line !== undefined && isBonusComponent(search.line) ? search.line : null,
    choosePerson: (id) => change({ person: id === viewer.id ? null : id, sprint: null, line: null }),
    chooseSprint: (id) => change({ sprint: id, line: null }),
    openLine: (line) => change({ line }, { replace: line === null }),
  };
}
