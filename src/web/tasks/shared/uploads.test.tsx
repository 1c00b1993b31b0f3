import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerConfirm, finishConfirm } from '#web/api/confirm.ts';
import { queryClient } from '#web/api/query-client.ts';
import { showPage } from '../../../../test/show-page.tsx';
import { addUploads, useUploads } from './uploads.ts';

/** A browser that sends nothing. */
class FailedRequest {
  upload = {};
  onerror = () => {};
  open() {}
  setRequestHeader() {}
  send() {
    this.onerror();
  }
}

const readable = () => new File(['name,email'], 'people.csv');

function changed(): File {
  const file = readable();
  file.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as never;
  return file;
}

function Closable() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
      {isOpen && <Rows />}
    </>
  );
}

function Rows() {
  return useUploads('17').map(({ id, failure, retryable }) => (
    <p key={id}>
      {failure} {retryable ? 'Try again' : 'Dismiss'}
    </p>
  ));
}

test('a file of a task that changed before it was sent is asked for again, and not tried again', async () => {
  const user = await showPage(<Closable />, { answers: { Task: () => ({ tasks: [] }) } });
  vi.stubGlobal('XMLHttpRequest', FailedRequest);
  const close = await screen.findByRole('button', { name: 'Close' });
  addUploads(queryClient, '17', [changed(), readable()]);
  await screen.findByText('The file changed. Choose it again Dismiss');
  await screen.findByText('Can’t reach the server Try again');
  expect(screen.queryByText(/wasn’t attached/)).toBeNull();
  await user.click(close);
  // The refused file was explained, and isn't said again.
  await expect.poll(() => screen.queryAllByText(/wasn’t attached to its task/)).toHaveLength(1);
});

test('a file that needs a recent proof is sent again once the person has confirmed who they are', async () => {
  let sent = 0;
  class GuardedRequest extends FailedRequest {
    onload = () => {};
    status = 0;
    responseText = JSON.stringify({ error: { code: 'CONFIRM_IDENTITY', message: 'Confirm it’s you to continue' } });
    getResponseHeader = () => null;
    override send() {
      sent += 1;
      this.status = sent === 1 ? 403 : 200;
      this.onload();
    }
  }
  await showPage(<p>The board</p>, { answers: { Task: () => ({ tasks: [] }) } });
  vi.stubGlobal('XMLHttpRequest', GuardedRequest);
  onTestFinished(answerConfirm(({ call }) => void setTimeout(() => finishConfirm(call === 'attachment'))));
  addUploads(queryClient, '19', [readable()]);
  await expect.poll(() => sent).toBe(2);
});

test('a file that fails after its task was closed says so', async () => {
  await showPage(<p>The board</p>, { answers: { Task: () => ({ tasks: [] }) } });
  vi.stubGlobal('XMLHttpRequest', FailedRequest);
  addUploads(queryClient, '18', [readable()]);
  await screen.findByText('“people.csv” wasn’t attached to its task. Open the task to see why, or to try again');
});
