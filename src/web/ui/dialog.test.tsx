import { TextInput } from '@mantine/core';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { closeTopLayer } from './back-closes.ts';
import { CopyField } from './copy-field.tsx';
import { Dialog } from './dialog.tsx';
import { Form, useForm } from './form.tsx';
import { SidePanel } from './side-panel.tsx';

/** Whether the page stays. */
function goBack(): boolean {
  let isStopped = false;
  act(() => {
    isStopped = closeTopLayer();
  });
  return isStopped;
}

function NameForm() {
  const mutation = { isPending: false, mutateAsync: async () => {} };
  const form = useForm({ initial: { name: 'Ada' }, mutation });
  return (
    <Form form={form} submit="Save">
      <TextInput label="Name" {...form.field('name')} />
    </Form>
  );
}

test('Back asks before a panel of the address discards what was typed', async () => {
  const onClose = vi.fn();
  const user = await showPage(
    <SidePanel opened inAddress title="Person" onClose={onClose}>
      <NameForm />
    </SidePanel>,
  );
  const field = await screen.findByRole('textbox', { name: 'Name' });
  expect(goBack()).toBe(false);
  await user.type(field, ' Able');
  expect(goBack()).toBe(true);
  await screen.findByRole('dialog', { name: 'Discard your changes?' });
  // Back answers the question like Esc.
  expect(goBack()).toBe(true);
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  expect(goBack()).toBe(true);
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('Back asks before a panel of the address hides what is shown once, until it was copied', async () => {
  const user = await showPage(
    <SidePanel opened inAddress title="Person" onClose={() => {}}>
      <CopyField label="Link" what="link" value="https://demo.test" autoFocus="button" />
    </SidePanel>,
  );
  const copy = await screen.findByRole('button', { name: 'Copy the link' });
  expect(goBack()).toBe(true);
  await user.click(await screen.findByRole('button', { name: 'Keep it open' }));
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(copy);
  await screen.findByRole('button', { name: 'Copied the link' });
  expect(goBack()).toBe(false);
});

test('Back stays in a dialog that only its button closes', async () => {
  const onClose = vi.fn();
  await showPage(
    <Dialog opened title="Save your recovery codes" closable={false} onClose={onClose}>
      The codes
    </Dialog>,
  );
  await screen.findByRole('dialog', { name: 'Save your recovery codes' });
  expect(goBack()).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
});

test('a side panel stays open while its form sends: Back, Esc and Close do nothing', async () => {
  const onClose = vi.fn();
  const answer = Promise.withResolvers<void>();
  function Sending() {
    const [isPending, setPending] = useState(false);
    const mutateAsync = () => {
      setPending(true);
      return answer.promise.finally(() => setPending(false));
    };
    const form = useForm({ initial: { name: 'Ada' }, mutation: { isPending, mutateAsync } });
    return (
      <Form form={form} submit="Save">
        <TextInput label="Name" {...form.field('name')} />
      </Form>
    );
  }
  const user = await showPage(
    <SidePanel opened inAddress title="Person" onClose={onClose}>
      <Sending />
    </SidePanel>,
  );
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' Able{Enter}');
  const close = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Close' });
  await expect.poll(() => close().disabled).toBe(true);
  expect(goBack()).toBe(true);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  answer.resolve();
  await expect.poll(() => close().disabled).toBe(false);
});
