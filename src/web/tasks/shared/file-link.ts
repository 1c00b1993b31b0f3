// Links to files are valid for ten minutes, so each use rereads the task for a new one.
import type { QueryClient } from '@tanstack/react-query';
import { refusals } from '#core/base/refusals.ts';
import { config } from '#web/api/config.ts';
import { mergeTask, readTask } from './queries.ts';

async function freshLink(
  client: QueryClient,
  taskId: string,
  fileId: string,
): Promise<{ href: string; fileName: string }> {
  const task = await readTask(taskId);
  if (task) mergeTask(client, task);
  const file = task?.attachments.find(({ id }) => id === fileId);
  if (!file?.url) throw new Error(refusals.NOT_FOUND.message);
  return { href: new URL(file.url, new URL(config().top5ServerUrl, location.href)).href, fileName: file.fileName };
}

export async function downloadFile(client: QueryClient, taskId: string, fileId: string): Promise<void> {
  const { href, fileName } = await freshLink(client, taskId, fileId);
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName;
  link.click();
}

/** A file's content, for a preview on the page. */
export async function readFileContent(
  client: QueryClient,
  taskId: string,
  fileId: string,
  signal: AbortSignal,
): Promise<Blob> {
  const { href } = await freshLink(client, taskId, fileId);
  const response = await fetch(href, { signal });
  if (!response.ok) throw new Error(refusals.LINK_EXPIRED.message);
  return response.blob();
}
