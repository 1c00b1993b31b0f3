import { TextInput } from '@mantine/core';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ApiError } from '#web/api/api-error.ts';
import { withConfirmation } from '#web/api/confirm.ts';
import { useMutation } from '#web/api/mutation.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { message, refuse, showPage } from '../../../../test/show-page.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';

const refused = async () => {
  throw new ApiError({ code: 'CONFIRM_IDENTITY', message: 'Confirm it’s you', statusCode: 403 });
};

test('“Confirm it’s you” in the middle of typing leaves the keys with the field until a pause', async () => {
  const hands = await showPage(
    <>
      <TextInput label="Name" />
      <ConfirmIdentity email="ada@company.test" />
    </>,
    {
      answers: {
        MySecondFactors: () => refuse('INTERNAL', 'No'),
        HasPassword: () => ({ myAccount: { password: { set: true } } }),
      },
    },
  );
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await import('./confirm-question.tsx');
  await hands.type(name, 'Call A');
  await act(async () => void withConfirmation(refused).catch(() => undefined));
  const password = await screen.findByLabelText<HTMLInputElement>('Password');
  await hands.keyboard('da');
  expect([name.value, password.value]).toEqual(['Call Ada', '']);
  await expect.poll(() => document.activeElement).toBe(password);
});

test('what a closed “Confirm it’s you” stopped is no longer said once it is done', async () => {
  const answers = [refused, async () => 'done'];
  function Change() {
    const change = useMutation({
      mutationFn: () => answers.shift()!(),
      onSuccess: () => showToast({ message: 'Passkey removed' }),
    });
    return (
      <button type="button" onClick={() => change.mutate()}>
        Remove
      </button>
    );
  }
  const hands = await showPage(<Change />);
  await hands.click(await screen.findByRole('button', { name: 'Remove' }));
  await message('Confirm it’s you');
  await hands.click(screen.getByRole('button', { name: 'Remove' }));
  await message('Passkey removed');
  expect(screen.queryByText('Confirm it’s you')).toBeNull();
});
