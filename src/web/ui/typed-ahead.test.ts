import { expect, onTestFinished, test } from 'vitest';
import { typeAhead } from './typed-ahead.ts';

test.each([
  ['joins what the field holds', 0, 'Old ideaCall'],
  ['replaces what is selected in it', 'Old idea'.length, 'Call'],
])('what is typed before a field has the focus %s', (_what, selected, expected) => {
  const field = document.body.appendChild(document.createElement('textarea'));
  onTestFinished(() => field.remove());
  field.value = 'Old idea';
  field.setSelectionRange(0, selected);
  typeAhead();
  for (const key of 'Call') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  field.focus();
  expect([field.value, field.selectionStart]).toEqual([expected, expected.length]);
});
