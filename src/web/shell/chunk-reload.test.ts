import { afterEach, expect, test, vi } from 'vitest';
import { loadInBackground, loadWanted } from '#web/ui/load-ahead.ts';
import { finishProgress, startProgress } from '#web/ui/progress-bar.tsx';
import { reloadWhenChunksFail } from './chunk-reload.ts';

reloadWhenChunksFail();
const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
afterEach(() => {
  finishProgress();
  sessionStorage.clear();
  reload.mockClear();
});

const fail = () => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));

test('a part that nobody waits for and cannot be fetched is no reason to reload the page', async () => {
  await loadInBackground(async () => void fail());
  expect(reload).not.toHaveBeenCalled();
});

test('a page that somebody asks for while it is being fetched ahead reloads when it is gone, once', async () => {
  startProgress();
  await loadInBackground(async () => void fail());
  fail();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a dialog that somebody opens while pages are fetched ahead reloads the page when it is gone', async () => {
  let finish = () => {};
  const ahead = loadInBackground(() => new Promise<void>((resolve) => (finish = resolve)));
  await loadWanted(async () => void fail());
  finish();
  await ahead;
  expect(reload).toHaveBeenCalledTimes(1);
});
