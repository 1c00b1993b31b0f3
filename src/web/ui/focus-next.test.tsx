import { screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { keepPlaceOfFocus } from './focus-next.ts';

beforeEach(() => onTestFinished(keepPlaceOfFocus()));

const focused = () => document.activeElement?.textContent;

/** A list whose buttons remove their row. With `asks`, a dialog asks first. */
function Links({ asks = false }: { readonly asks?: boolean }) {
  const [names, setNames] = useState(['One', 'Two', 'Three']);
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (name: string) => {
    setAsked(null);
    setNames(names.filter((each) => each !== name));
  };
  return (
    <section>
      <h2>Links</h2>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <button type="button" onClick={() => (asks ? setAsked(name) : remove(name))}>
              Revoke {name}
            </button>
            <a href={`#${name}`}>{name}</a>
          </li>
        ))}
      </ul>
      <Dialog opened={asked !== null} title="Revoke this link?" onClose={() => setAsked(null)}>
        <DialogActions primary="Revoke" onPrimary={() => remove(asked!)} focused />
      </Dialog>
    </section>
  );
}

const focusOn = async (name: string) => (await screen.findByRole('button', { name })).focus();

test('when the focused row goes, the focus moves to the row that takes its place, then to the one before', async () => {
  const user = await showPage(<Links />);
  await focusOn('Revoke Two');
  await user.keyboard('{Enter}');
  await expect.poll(focused).toBe('Three');
  await focusOn('Revoke Three');
  await user.keyboard('{Enter}');
  await expect.poll(focused).toBe('One');
});

test('after the last row, the focus is on the heading of the section', async () => {
  const user = await showPage(<Links />);
  for (const name of ['One', 'Two', 'Three']) {
    await focusOn(`Revoke ${name}`);
    await user.keyboard('{Enter}');
    await expect.poll(() => document.activeElement === document.body).toBe(false);
  }
  await expect.poll(focused).toBe('Links');
});

test('a dialog whose row is gone when it closes leads to the next row', async () => {
  const user = await showPage(<Links asks />);
  await focusOn('Revoke Two');
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog');
  await expect.poll(focused).toBe('Revoke');
  await user.keyboard('{Enter}');
  await expect.poll(focused).toBe('Three');
});
