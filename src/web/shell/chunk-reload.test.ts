import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportConnection } from '#web/ui/connection.ts';
import { loadInBackground } from '#web/ui/load-ahead.ts';
import { finishProgress, startProgress } from '#web/ui/progress-bar.tsx';
import { reloadWhenChunksFail } from './chunk-reload.ts';

reloadWhenChunksFail();
const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
beforeEach(() => {
  // Files share their modules.
  reportConnection('back');
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  finishProgress();
  sessionStorage.clear();
  reload.mockClear();
});

/** A load that Vite can't fetch: it says so, then throws. */
async function fail(): Promise<never> {
  const payload = new Error('Failed to fetch dynamically imported module');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  throw payload;
}

const decided = () => new Promise((resolve) => setTimeout(resolve));

test('a part that nobody waits for and cannot be fetched is no reason to reload the page', async () => {
  await loadInBackground(fail);
  await decided();
  expect(reload).not.toHaveBeenCalled();
});

test('a page that somebody asks for while it is being fetched ahead reloads when it is gone, once', async () => {
  startProgress();
  await loadInBackground(fail);
  await fail().catch(() => {});
  await decided();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page that is opened during its background load reloads when it is gone, though the router gives up first', async () => {
  startProgress();
  await loadInBackground(fail);
  finishProgress();
  await decided();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a dialog that somebody opens while pages are fetched ahead reloads the page when it is gone', async () => {
  const other = Promise.withResolvers<void>();
  const ahead = loadInBackground(() => other.promise);
  await fail().catch(() => {});
  await decided();
  other.resolve();
  await ahead;
  expect(reload).toHaveBeenCalledTimes(1);
});
