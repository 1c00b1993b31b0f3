import { TextInput } from '@mantine/core';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { filled } from '#core/base/inputs.ts';
import { showPage } from '../../../test/show-page.tsx';
import { reportConnection } from './connection.ts';
import { AroundForm, Dialog } from './dialog.tsx';
import { type Fault, Form, useForm } from './form.tsx';
import { useShortcuts } from './shortcuts.ts';

const schema = z.strictObject({ name: filled(10), place: filled(10) });

type Props = { readonly answer: () => Promise<unknown>; readonly keep?: () => void };

function RoomForm({ answer, keep, onClose }: Props & { readonly onClose: () => void }) {
  const form = useForm({
    initial: { name: '', place: '' },
    schema,
    names: { place: 'The floor' },
    mutation: { isPending: false, mutateAsync: answer },
    onSent: onClose,
    ...(keep ? { keep } : {}),
  });
  return (
    <Dialog opened title="New room" onClose={onClose}>
      <Form form={form} submit="Add the room">
        <TextInput label="Name" data-autofocus {...form.field('name')} />
        <TextInput label="Floor" {...form.field('place')} />
      </Form>
    </Dialog>
  );
}

function Rooms(props: Props) {
  const [opened, setOpened] = useState(true);
  return opened ? <RoomForm {...props} onClose={() => setOpened(false)} /> : <p>No dialog</p>;
}

const field = (name: string) => screen.findByRole('textbox', { name });

test('what the core refuses is said at each field, the first one has the focus, and nothing is sent', async () => {
  let sent = 0;
  const user = await showPage(<Rooms answer={async () => (sent += 1)} />);
  await user.type(await field('Floor'), 'a much too long floor{Enter}');
  expect((await screen.findByText('Enter the name')).id).toBe((await field('Name')).getAttribute('aria-describedby'));
  await screen.findByText('The floor is longer than 10 characters');
  expect(document.activeElement).toBe(await field('Name'));
  expect(sent).toBe(0);
});

test('a lost connection is no longer said once it is back', async () => {
  const unreachable = { code: 'NETWORK', message: 'Can’t reach the server' };
  const answer = () => {
    reportConnection('lost');
    return Promise.reject(unreachable);
  };
  const user = await showPage(<Rooms answer={answer} />);
  await user.type(await field('Floor'), '3');
  await user.type(await field('Name'), 'Attic{Enter}');
  expect((await screen.findByText('Can’t reach the server')).hasAttribute('data-over')).toBe(false);
  act(() => reportConnection('back'));
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('The connection is back. Try again');
  // It isn't red anymore.
  expect(alert.hasAttribute('data-over')).toBe(true);
});

test('what the server refuses is said at its field, or under the form', async () => {
  const faults: Fault[] = [{ field: 'name', message: 'There is a room Attic already' }, { message: 'Not today' }];
  const user = await showPage(<Rooms answer={() => Promise.reject(faults.shift())} />);
  await user.type(await field('Floor'), '3');
  await user.type(await field('Name'), 'Attic{Enter}');
  await screen.findByText('There is a room Attic already');
  expect(document.activeElement).toBe(await field('Name'));
  await user.keyboard('{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('Not today');
});

test('what failed is scrolled into view: below a long form, nobody would see it', async () => {
  const shown: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.textContent);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const answer = () => Promise.reject({ code: 'NETWORK', message: 'Can’t reach the server' });
  const user = await showPage(<Rooms answer={answer} />);
  await user.type(await field('Floor'), '3');
  await user.type(await field('Name'), 'Lab{Enter}');
  await screen.findByText('Can’t reach the server');
  await user.type(await field('Name'), '{Enter}');
  expect(shown).toEqual(['Can’t reach the server', 'Can’t reach the server']);
});

test('Esc asks before it drops what was typed, and keeps it when told so', async () => {
  const user = await showPage(<Rooms answer={async () => null} />);
  await user.type(await field('Name'), 'Attic{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(((await field('Name')) as HTMLInputElement).value).toBe('Attic');
  await user.click(await field('Name'));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await screen.findByText('No dialog');
});

test.each([
  ['nothing was typed', '{Escape}', undefined],
  ['it is kept as a draft', 'Attic{Escape}', () => {}],
])('Esc closes at once where %s', async (_why, keys, keep) => {
  const user = await showPage(<Rooms answer={async () => null} {...(keep ? { keep } : {})} />);
  await user.type(await field('Name'), keys);
  await screen.findByText('No dialog');
});

function LineForm({ answer }: Pick<Props, 'answer'>) {
  const form = useForm({
    initial: { text: '' },
    mutation: { isPending: false, mutateAsync: answer },
    onSent: () => void form.restart({ text: '' }),
  });
  return (
    <Form form={form} submit="Add">
      <TextInput label="Line" {...form.field('text')} />
    </Form>
  );
}

test.each([
  ['behind what is being sent', ' and two', 'and two'],
  ['in place of it', '{Backspace}{Backspace}{Backspace}two', 'two'],
  ['nowhere', '', ''],
])('what is typed %s stays when the answer comes', async (_where, keys, left) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const user = await showPage(<LineForm answer={() => promise} />);
  await user.type(await field('Line'), 'one{Enter}');
  if (keys) await user.keyboard(keys);
  await act(async () => resolve());
  expect(((await field('Line')) as HTMLInputElement).value).toBe(left);
});

/** A page where C opens the form. */
function RoomsPage({ answer }: Pick<Props, 'answer'>) {
  const [opened, setOpened] = useState(false);
  const [undone, setUndone] = useState(0);
  useShortcuts([
    { key: 'c', label: 'New room', scope: 'Rooms', opensForm: true, run: () => setOpened(true) },
    { key: 'u', label: 'Undo', scope: 'Rooms', undoes: true, run: () => setUndone(undone + 1) },
  ]);
  return (
    <>
      <p>Undone: {undone}</p>
      {opened ? <RoomForm answer={answer} onClose={() => setOpened(false)} /> : <p>No dialog</p>}
    </>
  );
}

/** Sends a room, and types the keys before it is created. */
async function typeWhileSending(keys: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const user = await showPage(<RoomsPage answer={() => promise} />);
  await screen.findByText('No dialog');
  await user.keyboard('c');
  await user.type(await field('Floor'), '3');
  await user.type(await field('Name'), `Attic{Enter}${keys}`);
  await act(async () => resolve());
  return user;
}

test('C and a text, typed while a form is sent that then closes, are for the next one', async () => {
  const user = await typeWhileSending('cBu');
  await user.keyboard('reau');
  await expect.poll(() => (document.activeElement as HTMLInputElement).value).toBe('Bureau');
  expect(((await field('Floor')) as HTMLInputElement).value).toBe('');
  screen.getByText('Undone: 0');
});

test.each([
  ['another text', ' b', 'b'],
  // After a space, C is a letter like any other.
  ['a sentence that goes on with C', ' c', 'c'],
  ['a changed text that begins with C', '{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}cellar', 'cellar'],
])('%s, typed then, isn’t lost without a word, and none of its letters is a shortcut', async (_what, keys, said) => {
  const user = await typeWhileSending(keys);
  await screen.findByText('No dialog');
  await user.keyboard('ucu');
  await screen.findByText(`You typed this after sending, so it wasn’t sent: “${said}”`);
  screen.getByText('No dialog');
  screen.getByText('Undone: 0');
});

function SendingForm({ submit }: { readonly submit?: string }) {
  const form = useForm({ initial: { text: '' }, mutation: { isPending: true, mutateAsync: async () => null } });
  return (
    <Form form={form} {...(submit ? { submit } : {})}>
      <TextInput label="Line" {...form.field('text')} />
    </Form>
  );
}

test.each([undefined, 'Add'])('a form holds its dialog once while it is sent, with the button %s', async (submit) => {
  const hold = vi.fn(() => () => {});
  const around = { losses: new Set<() => null>(), onClose: () => {}, onAsk: () => {}, hold, isHeld: false };
  await showPage(
    <AroundForm value={around}>
      <SendingForm {...(submit ? { submit } : {})} />
    </AroundForm>,
  );
  await field('Line');
  expect(hold).toHaveBeenCalledTimes(1);
});
