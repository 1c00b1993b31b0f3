import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showPage } from '../../../../test/show-page.tsx';
import { CodesDialog } from './factor-dialogs.tsx';

test('a second Enter copies the recovery codes and doesn’t close them unseen', async () => {
  const onClose = vi.fn();
  const user = await showPage(<CodesDialog codes={['one', 'two']} onClose={onClose} />);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const copy = await screen.findByRole('button', { name: 'Copy' });
  await expect.poll(() => document.activeElement).toBe(copy);
  await user.keyboard('{Enter}');
  await screen.findByText('Codes copied');
  expect([copied.mock.calls, onClose.mock.calls]).toEqual([[['one\ntwo']], []]);
  await user.click(screen.getByRole('button', { name: 'I saved them' }));
  expect(onClose).toHaveBeenCalledOnce();
});
