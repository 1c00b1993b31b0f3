// The nine demo accounts as viewers, copied by hand from the list of accounts to expose errors in the core.
// Asked by the core's tests and the house laws.
import type { Viewer } from '#core/access/access.ts';
import { type Permission, permissionKeys } from '#core/access/permissions.ts';

const topFive: readonly Permission[] = [
  'VIEW_TOP_5',
  'VIEW_TOP_5_TOOLS',
  'VIEW_TOP_5_GUIDELINES',
  'VIEW_TOP_5_MEETING_SCHEDULE',
  'VIEW_TOP_5_BONUS_STRUCTURE',
  'VIEW_TOP_5_TIME_TRACKER',
];

const person = (id: string, role: string | null, permissions: readonly Permission[], approverIds: string[] = []) => ({
  id,
  role,
  permissions,
  approverIds,
});

export const samplePeople = {
  admin: person('admin', 'admin', permissionKeys),
  approver: person(
    'approver',
    'Approver',
    [
      'VIEW_DASHBOARD',
      ...topFive,
      'VIEW_TOP_5_APPROVALS',
      'VIEW_TOP_5_STATS',
      'VIEW_TOP_5_STATS_CONNECT',
      'VIEW_TOP_5_STATS_GREEN',
    ],
    ['admin'],
  ),
  staff: person('staff', 'Staff', ['VIEW_DASHBOARD', ...topFive, 'VIEW_TOP_5_STATS', 'VIEW_TOOLS'], ['approver']),
  top5: person('top5', 'Staff', ['VIEW_DASHBOARD', ...topFive], ['approver']),
  sales: person('sales', 'Sales', [
    'VIEW_DASHBOARD',
    'VIEW_SALES',
    'VIEW_CONNECT_SALES',
    'VIEW_GREEN_SALES',
    'VIEW_CODEX_SALES',
    'VIEW_BGP_SALES',
    'VIEW_DONATIONS',
    'VIEW_FREE_A_GIRL_DONATIONS',
    'VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS',
    'VIEW_WHO_LIVES_DONATIONS',
    'READ_BGP',
    'READ_GREEN',
    'READ_CODEX',
  ]),
  support: person('support', 'Support', [
    'VIEW_DASHBOARD',
    'VIEW_AFFILIATE_STATS',
    'VIEW_CUSTOMER_SERVICE',
    'VIEW_DISTRIBUTIONS',
    'VIEW_PRODUCT_PAYMENTS',
    'VIEW_TOOLS',
  ]),
  people: person('people', 'People', ['VIEW_DASHBOARD', ...topFive, 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'], ['admin']),
  norole: person('norole', null, []),
  noapprover: person('noapprover', 'Staff', ['VIEW_DASHBOARD', ...topFive]),
} as const satisfies Record<string, Viewer>;

export type SamplePerson = keyof typeof samplePeople;
export const samplePersonKeys = Object.keys(samplePeople) as SamplePerson[];
