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

test('a second tap on the same place presses nothing that came there, and one elsewhere does', () => {
  ignoreStrayClicks();
  const heard: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => {
    const button = document.body.appendChild(document.createElement('button'));
    button.addEventListener('click', () => heard.push(name));
    onTestFinished(() => button.remove());
    return button;
  });
  const tap = (button: HTMLElement, clientX: number) =>
    button.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', clientX, bubbles: true, detail: 1 }));
  tap(first!, 100);
  tap(second!, 104);
  expect(heard).toEqual(['first']);
  tap(first!, 100);
  tap(second!, 300);
  expect(heard).toEqual(['first', 'first', 'second']);
});
