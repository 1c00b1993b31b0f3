// Decides whose stats a person sees: those of the permitted scopes, of the people one approves, and one's own (D22, D23).
// Asked before a change of a team or of visibility. The server's statistics say the same in SQL.
import { isAdmin, type Viewer } from '../access/access.ts';
import { permittedScopes } from '../access/brands.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';

/** A person as the stats place them. */
export type StatsSubject = {
  readonly id: string;
  readonly team: string | null;
  readonly topFiveInvisible: boolean;
  readonly approverIds: readonly string[];
};

export function seesStatsOf(viewer: Viewer, { id, team, topFiveInvisible, approverIds }: StatsSubject): boolean {
  if (isAdmin(viewer) || id === viewer.id) return true;
  if (callRefusal(viewer, callAccess.stats) !== null) return false;
  if (approverIds.includes(viewer.id)) return true;
  return !topFiveInvisible && permittedScopes(viewer).some((scope) => scope === team);
}
