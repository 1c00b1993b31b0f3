import { expect, test } from 'vitest';
import { holdUndo, showToast, undoLatest } from './toasts.tsx';

const undone: string[] = [];
const tell = (message: string) => showToast({ message, onUndo: () => undone.push(message) });

/** A call that may offer Undo, with what ends it. */
function call() {
  const { promise, resolve } = Promise.withResolvers<void>();
  holdUndo(promise);
  const end = async () => {
    resolve();
    await promise;
  };
  return { end };
}

test('U during a call that offers no Undo takes nothing older back, and neither does U after it', async () => {
  tell('older');
  const refused = call();
  undoLatest();
  await refused.end();
  expect(undone).toEqual([]);
  undoLatest();
  expect(undone).toEqual([]);
  tell('newer');
  undoLatest();
  expect(undone).toEqual(['newer']);
});

test('U during a refused call takes nothing older back, and U after it does', async () => {
  undone.length = 0;
  tell('older');
  const { promise, reject } = Promise.withResolvers<void>();
  holdUndo(promise);
  undoLatest();
  reject(new Error('refused'));
  await promise.catch(() => undefined);
  expect(undone).toEqual([]);
  undoLatest();
  expect(undone).toEqual(['older']);
});

test('U means the call under way when it was pressed, whatever begins after it', async () => {
  undone.length = 0;
  const first = call();
  undoLatest();
  const second = call();
  tell('first');
  await first.end();
  tell('second');
  await second.end();
  expect(undone).toEqual(['first']);
});
