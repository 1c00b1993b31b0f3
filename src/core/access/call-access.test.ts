import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import type { Viewer } from './access.ts';
import { type CallAccess, callAccess, callRefusal } from './call-access.ts';

// Written from D5 and D38. - allowed, S not signed in, A no application permission, F forbidden.
const columns = ['anonymous', 'norole', 'people', 'sales', 'top5', 'approver', 'admin'] as const;
const rows: [string, CallAccess, string][] = [
  ['application', 'application', 'S A - - - - -'],
  ['admin', 'admin', 'S A F F F F -'],
  ['ownTasks', callAccess.ownTasks, 'S A - F - - -'],
  ['tasks', callAccess.tasks, 'S A - F - - -'],
  ['decisions', callAccess.decisions, 'S A F F F - -'],
  ['stats', callAccess.stats, 'S A F F F - -'],
  ['people', callAccess.people, 'S A - F F F -'],
  ['guidelines', callAccess.guidelines, 'S A - F - - -'],
  ['schedule', callAccess.schedule, 'S A - F - - -'],
  ['roles', callAccess.roles, 'S A - F F F -'],
  ['tools', callAccess.tools, 'S A F F F F -'],
  ['signedIn', 'signedIn', 'S - - - - - -'],
  ['signingIn', 'signingIn', 'S - - - - - -'],
  ['public', 'public', '- - - - - - -'],
];
const letters = { NOT_SIGNED_IN: 'S', NO_APPLICATION_PERMISSION: 'A', FORBIDDEN: 'F' } as Record<string, string>;

describe('what a call asks for (D5, D38)', () => {
  it.each(rows)('%s', (_name, access, expected) => {
    const got = columns.map((name) => {
      const viewer: Viewer | null = name === 'anonymous' ? null : samplePeople[name];
      const code = callRefusal(viewer, access);
      return code === null ? '-' : (letters[code] ?? code);
    });
    expect(got.join(' ')).toBe(expected);
  });
  it('is one of the permissions listed, not all of them', () => {
    const only: Viewer = {
      id: '1',
      role: 'Staff',
      permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'],
      approverIds: [],
    };
    expect(callRefusal(only, callAccess.tasks)).toBeNull();
    expect(callRefusal({ ...only, permissions: ['VIEW_TOP_5_APPROVALS'] }, callAccess.tasks)).toBe(
      'NO_APPLICATION_PERMISSION',
    );
  });
});
