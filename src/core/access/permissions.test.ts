import { describe, expect, it } from 'vitest';
import {
  applicationPermission,
  isPermission,
  permissionGroups,
  permissionKeys,
  permissions,
  readPermission,
  topFivePermission,
} from './permissions.ts';

describe('permissions (spec 6)', () => {
  it.each([
    '',
    'view_dashboard',
    'VIEW_DASHBOARD ',
    'VIEW_DASHBOARD\0',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'admin',
    '\ud800',
    'VIEW_TOP_5_STATS_BLUE',
  ])('%j is none', (text) => {
    expect(isPermission(text)).toBe(false);
    expect(readPermission(text)).toBeNull();
  });

  it('are those of the specification, and those added since', () => {
    expect([...permissionKeys].sort()).toEqual(
      `READ_BGP READ_CODEX READ_GREEN USER_MANAGEMENT VIEW_AFFILIATE_STATS VIEW_BGP_SALES VIEW_CODEX_SALES VIEW_CONNECT_SALES
      VIEW_CUSTOMER_SERVICE VIEW_DASHBOARD VIEW_DISTRIBUTIONS VIEW_DONATIONS VIEW_FREE_A_GIRL_DONATIONS VIEW_GREEN_SALES
      VIEW_OPERATION_UNDERGROUND_RAILROAD_DONATIONS VIEW_PRODUCT_PAYMENTS VIEW_ROLE_EDITOR VIEW_SALES VIEW_TOOLS VIEW_TOP_5
      VIEW_TOP_5_APPROVALS VIEW_TOP_5_BONUS_STRUCTURE VIEW_TOP_5_GUIDELINES VIEW_TOP_5_MEETING_SCHEDULE VIEW_TOP_5_STATS
      VIEW_TOP_5_STATS_ARCADE VIEW_TOP_5_STATS_CODEX VIEW_TOP_5_STATS_CONNECT VIEW_TOP_5_STATS_GIVE VIEW_TOP_5_STATS_GREEN
      VIEW_TOP_5_STATS_MANAGEMENT VIEW_TOP_5_TIME_TRACKER VIEW_TOP_5_TOOLS VIEW_WHO_LIVES_DONATIONS`.split(/\s+/),
    );
  });

  it('start from VIEW_DASHBOARD and VIEW_TOP_5', () => {
    expect([applicationPermission, topFivePermission]).toEqual(['VIEW_DASHBOARD', 'VIEW_TOP_5']);
  });

  it('read the misspelt key of Who Lives as the intended one, and never write it (D9)', () => {
    expect(readPermission('IEW_WHO_LIVES_DONATIONS')).toBe('VIEW_WHO_LIVES_DONATIONS');
    expect(isPermission('IEW_WHO_LIVES_DONATIONS')).toBe(false);
    for (const key of permissionKeys) expect(readPermission(key)).toBe(key);
  });

  it('each have a group, a title of its own within it, and a meaning', () => {
    const titles = permissionKeys.map((key) => `${permissions[key].group}: ${permissions[key].title}`);
    expect(new Set(titles).size).toBe(permissionKeys.length);
    expect(new Set(permissionKeys.map((key) => permissions[key].group))).toEqual(new Set(permissionGroups));
    expect(permissionKeys.every((key) => permissions[key].meaning.length > 10)).toBe(true);
  });
});
