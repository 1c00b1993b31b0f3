import { expect, onTestFinished, test } from 'vitest';
import { ignoreStrayClicks } from './double-click.ts';

test('a held Enter presses a button once', () => {
  ignoreStrayClicks();
  const button = document.body.appendChild(document.createElement('button'));
  onTestFinished(() => button.remove());
  const press = (repeat: boolean) =>
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }));
  expect([press(false), press(true)]).toEqual([true, false]);
});
