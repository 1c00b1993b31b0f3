import { expect, onTestFinished, test, vi } from 'vitest';
import { typeAhead } from './typed-ahead.ts';

test.each([
  ['joins what the field holds', 0, 'Old ideaCall'],
  ['replaces what is selected in it', 'Old idea'.length, 'Call'],
])('what is typed before a field has the focus %s', (_what, selected, expected) => {
  const field = document.body.appendChild(document.createElement('textarea'));
  onTestFinished(() => field.remove());
  field.value = 'Old idea';
  field.setSelectionRange(0, selected);
  const before: unknown[] = [];
  field.addEventListener('beforeinput', () => before.push([field.value, field.selectionEnd]));
  typeAhead();
  for (const key of 'Call') document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  field.focus();
  expect([field.value, field.selectionStart]).toEqual([expected, expected.length]);
  // As for a key, the field's form can look at what is selected.
  expect(before).toEqual([['Old idea', selected]]);
});

test.each([
  ['sends it', 0, 1],
  ['waits for a look at what it replaces a part of', 'Old idea'.length, 0],
])('Enter at the end of what is typed before a field of a form has the focus %s', async (_what, selected, sent) => {
  const form = document.body.appendChild(document.createElement('form'));
  onTestFinished(() => form.remove());
  const requestSubmit = vi.spyOn(form, 'requestSubmit').mockImplementation(() => {});
  const field = form.appendChild(document.createElement('input'));
  field.value = 'Old idea';
  field.setSelectionRange(0, selected);
  typeAhead();
  for (const key of ['C', 'Enter']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  field.focus();
  await new Promise((resolve) => setTimeout(resolve));
  expect(requestSubmit).toHaveBeenCalledTimes(sent);
});
