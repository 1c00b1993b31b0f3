import { act, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { CopyField } from './copy-field.tsx';

test('the button says that the text was copied, and soon offers it again', async () => {
  const user = await showPage(<CopyField label="Link" what="link" value="https://demo.test" />);
  const button = await screen.findByRole('button', { name: 'Copy the link' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await user.click(button);
  await screen.findByRole('button', { name: 'Copied the link' });
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(button.textContent).toBe('Copy');
});
