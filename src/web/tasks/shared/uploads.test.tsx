import { screen } from '@testing-library/react';
import { test, vi } from 'vitest';
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

function Rows() {
  return useUploads('17').map(({ id, failure, retryable }) => (
    <p key={id}>
      {failure} {retryable ? 'Try again' : 'Dismiss'}
    </p>
  ));
}

test('a file of a task that changed before it was sent is asked for again, and not tried again', async () => {
  await showPage(<Rows />, { answers: { Task: () => ({ tasks: [] }) } });
  vi.stubGlobal('XMLHttpRequest', FailedRequest);
  addUploads(queryClient, '17', [changed(), readable()]);
  await screen.findByText('The file changed. Choose it again Dismiss');
  await screen.findByText('Can’t reach the server Try again');
});
