import { expect, test } from 'vitest';
import { joinInFlight } from './request.ts';

test('a second call while the first is under way shares its answer; a later one runs anew', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return runs;
  };
  expect(await Promise.all([joinInFlight('a', run), joinInFlight('a', run), joinInFlight('b', run)])).toEqual([
    1, 1, 2,
  ]);
  expect(await joinInFlight('a', run)).toBe(3);
});

test('the same call after another one is a call of its own: on, off, on ends on', async () => {
  const sent: string[] = [];
  const call = (key: string) => joinInFlight(key, async () => sent.push(key));
  await Promise.all([call('on'), call('off'), call('on'), call('on')]);
  expect(sent).toEqual(['on', 'off', 'on']);
});

test('a failure is shared too, and forgotten', async () => {
  const fails = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([joinInFlight('a', fails), joinInFlight('a', fails)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await joinInFlight('a', async () => 'yes')).toBe('yes');
});
