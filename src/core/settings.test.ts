import { expect, it } from 'vitest';
import { defaultSettings, settings } from './settings.ts';

it('no setting is without a title, a meaning and a default', () => {
  for (const { title, meaning } of Object.values(settings)) expect(title && meaning).toBeTruthy();
  expect(Object.keys(defaultSettings)).toEqual(Object.keys(settings));
});

it('the time tracker is off, five tasks are expected, 48 hours settle, 25 MB are accepted (D19, D33, D39)', () => {
  expect(defaultSettings).toMatchObject({
    timeTracker: false,
    taskLimit: 5,
    settlingHours: 48,
    attachmentMegabytes: 25,
  });
});
