import { describe, expect, it } from 'vitest';
import {
  closedRequestRefusal,
  isRoleAsked,
  openRequests,
  type RoleEvent,
  roleRequestRefusal,
  rolesAsked,
} from './role-requests.ts';

const at = '2026-11-18T10:00:00Z';
const now = Temporal.Instant.from(at).epochMilliseconds + 60_000;
const event = (what: RoleEvent['what'], byId: string, role: string): RoleEvent => ({
  ...{ what, byId, role, at, by: `Person ${byId}` },
});
/** In the order in which they happened. */
const events = (...happened: [RoleEvent['what'], string, string][]): RoleEvent[] =>
  happened.map((one) => event(...one)).reverse();

describe('a request for a role', () => {
  const refusal = (log: RoleEvent[]) =>
    roleRequestRefusal({ role: null, disabled: false }, 'Sales', { exists: true, events: log, now, askedByCaller: 1 })
      ?.message;
  it('is refused for a day after the same one and after a decline, but not after it was withdrawn', () => {
    expect(refusal(events(['asked', '1', 'Sales']))).toBe('Person 1 already requested this role');
    expect(refusal(events(['asked', '1', 'Sales'], ['declined', '2', 'Sales']))).toMatch(
      /^Person 2 declined this role/,
    );
    expect(refusal(events(['asked', '1', 'Sales'], ['withdrawn', '1', 'Sales']))).toBeUndefined();
    const another = events(['asked', '3', 'Sales'], ['asked', '1', 'Sales'], ['withdrawn', '1', 'Sales']);
    expect(refusal(another)).toBe('Person 3 already requested this role');
    const declined = events(['declined', '2', 'Sales'], ['asked', '1', 'Sales'], ['withdrawn', '1', 'Sales']);
    expect(refusal(declined)).toMatch(/^Person 2 declined this role/);
    const again = events(['asked', '1', 'Sales'], ['withdrawn', '1', 'Sales'], ['asked', '1', 'Sales']);
    expect(refusal(again)).toBe('Person 1 already requested this role');
  });
  it('is open until it is declined, replaced or withdrawn', () => {
    const open = (log: RoleEvent[]) => openRequests(log).map(({ byId, role }) => [byId, role]);
    expect(open(events(['asked', '1', 'Sales'], ['asked', '2', 'Sales'], ['withdrawn', '1', 'Sales']))).toEqual([
      ['2', 'Sales'],
    ]);
    expect(open(events(['asked', '1', 'Sales'], ['asked', '1', 'Support']))).toEqual([['1', 'Support']]);
    // The one that was replaced doesn't come back.
    const replaced = events(['asked', '1', 'Sales'], ['asked', '1', 'Support'], ['withdrawn', '1', 'Support']);
    expect(open(replaced)).toEqual([]);
    expect(open(events(['asked', '1', 'Sales'], ['withdrawn', '1', 'Sales'], ['asked', '1', 'Sales']))).toEqual([
      ['1', 'Sales'],
    ]);
    expect(open(events(['asked', '1', 'Sales'], ['declined', '2', 'Sales']))).toEqual([]);
  });
  it('is the caller’s own if they have an open one for the role, also behind a newer one', () => {
    const log = events(['asked', '1', 'Sales'], ['asked', '2', 'Sales'], ['asked', '3', 'Support']);
    const own = (callerId: string) => rolesAsked(log, callerId).map(({ role, by, own: is }) => [role, by, is]);
    const shown = (sales: boolean, support: boolean) => [
      ['Support', 'Person 3', support],
      ['Sales', 'Person 2', sales],
    ];
    expect(own('1')).toEqual(shown(true, false));
    expect(own('3')).toEqual(shown(false, true));
    expect(own('4')).toEqual(shown(false, false));
    expect(isRoleAsked(rolesAsked(log, '4'), 'Sales', now)).toBe(true);
  });
  it('that isn’t open says what became of it', () => {
    const said = (log: RoleEvent[]) => closedRequestRefusal(log, 'Sales');
    expect(said(events(['asked', '1', 'Sales'], ['withdrawn', '1', 'Sales']))).toMatchObject({
      ...{ code: 'CONFLICT', message: 'Person 1 withdrew this request' },
    });
    expect(said(events(['asked', '1', 'Sales'], ['declined', '2', 'Sales'])).message).toMatch(/already answered$/);
    expect(said([]).message).toMatch(/already answered$/);
  });
});
