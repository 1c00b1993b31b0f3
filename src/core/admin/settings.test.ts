import { describe, expect, it } from 'vitest';
import { isRefusal } from '../base/refusals.ts';
import { defaultSettings, isSetting, isSettingValue, readSetting, settings } from './settings.ts';

it('no setting is without a title, a meaning and a default', () => {
  for (const { title, meaning } of Object.values(settings)) expect(title && meaning).toBeTruthy();
  expect(Object.keys(defaultSettings)).toEqual(Object.keys(settings));
});

it('by default nothing is handed over, five tasks are expected, 48 hours settle (D19, D33, D39, D41)', () => {
  expect(defaultSettings).toMatchObject({
    timeTracker: false,
    holidayClose: false,
    taskLimit: 5,
    settlingHours: 48,
    handOverHours: 0,
    attachmentMegabytes: 25,
  });
});

describe('a setting as it is typed', () => {
  it('is refused with what it wants', () => {
    for (const text of ['', '-1', '1.5', '1e3', 'five', '1234567'])
      expect(readSetting('taskLimit', text, defaultSettings)).toMatchObject({ code: 'BAD_INPUT', field: 'taskLimit' });
    for (const text of ['', 'yes', '1', 'constructor'])
      expect(readSetting('timeTracker', text, defaultSettings)).toMatchObject({ code: 'BAD_INPUT' });
    for (const text of [
      '',
      'connect',
      'connect=grafana',
      'arcade=metabase',
      '__proto__=metabase',
      '15=metabase',
      'connect=metabase,x=y',
    ])
      expect([text, isRefusal(readSetting('dashboards', text, defaultSettings))]).toEqual([text, true]);
  });
  it('names the default approver by id', () => {
    for (const text of ['', '0', 'anna', '7;', '-7', '1'.repeat(19)])
      expect([text, isRefusal(readSetting('defaultApprover', text, defaultSettings))]).toEqual([text, true]);
    expect(readSetting('defaultApprover', ' 7 ', defaultSettings)).toBe('7');
    expect(readSetting('defaultApprover', 'nobody', defaultSettings)).toBeNull();
  });
  it('is taken, dashboards on top of what is set', () => {
    expect(readSetting('taskLimit', ' 7 ', defaultSettings)).toBe(7);
    expect(readSetting('timeTracker', 'on', defaultSettings)).toBe(true);
    const first = { ...defaultSettings, dashboards: { connect: 'metabase' } as const };
    expect(readSetting('dashboards', 'who-lives=metabase, connect=builtin', first)).toEqual({
      connect: 'builtin',
      'who-lives': 'metabase',
    });
  });
});

it('what is stored by another version of the product is no value', () => {
  for (const value of [null, 'metabase', ['connect'], { connect: 'grafana' }, { arcade: 'metabase' }, 3, true])
    expect([value, isSettingValue('dashboards', value)]).toEqual([value, false]);
  expect(isSettingValue('dashboards', {})).toBe(true);
  expect(isSettingValue('taskLimit', { connect: 'metabase' })).toBe(false);
  expect(isSetting('__proto__')).toBe(false);
});
