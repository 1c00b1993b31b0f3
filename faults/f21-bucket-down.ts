// The bucket of the files goes while a backup is made: that is no backup and leaves nothing behind, whereas a
// file that is gone from a bucket which answers is listed in a backup that is complete.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFileStore } from '#server/platform/storage/files.ts';
import { openFolder } from '../test/database-folder.ts';
import { type LineState, layLine } from '../test/line.ts';
import { bucketUrl, startBucket } from '../test/s3-server.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { answersOf, backupSecret, run } from './new-place.ts';
import { makeStaff, outsideDatabase } from './product.ts';

const fileCount = 200;
const states: readonly LineState[] = ['torn', 'silent', 'half'];

const keyOf = (index: number): string => `${String(index % 100).padStart(2, '0')}/${`file-${index}`.padEnd(20, '0')}`;

/** Files of tasks in the bucket, and the rows that name them. */
async function fill(url: string, port: number, dataDir: string): Promise<void> {
  const { owners } = await makeStaff(url, 1);
  const [task] = await answersOf<{ id: string; owner: string }>(
    url,
    `with week as (
       insert into sprints (name, start_at, end_at) values ('Week', '2026-01-05T10:00Z', '2026-01-12T10:00Z') returning id
     ) insert into tasks (owner_id, sprint_id, title, summary, category, created_by)
     select $1::bigint, id, 'With files', '', 'All Brands', $1::bigint from week returning id::text, owner_id::text as owner`,
    [owners[0]?.id],
  );
  const files = await openFileStore({ dataDir, url: bucketUrl(port) });
  for (let index = 0; index < fileCount; index += 1) {
    const path = join(files.incoming, 'draft');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `file ${index}`);
    await files.keep(keyOf(index), path);
  }
  await answersOf(
    url,
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, storage_key)
     select $1, $2, 'Owner', 'a.txt', 'text/plain', 8, key from unnest($3::text[]) as key`,
    [task?.id, task?.owner, Array.from({ length: fileCount }, (_, index) => keyOf(index))],
  );
}

async function tryAll(asked: Asked, folder: string): Promise<Outcome> {
  const database = await outsideDatabase();
  const bucketFolder = join(folder, 'bucket');
  const bucket = await startBucket(bucketFolder);
  const line = await layLine({ host: '127.0.0.1', port: bucket.port });
  const failures: string[] = [];
  const target = join(folder, 'backups');
  mkdirSync(target);
  const env = {
    ...backupSecret,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    FILES_URL: bucketUrl(line.port),
  };
  const expectEnd = async (what: string, code: number, ran: ReturnType<typeof run>) => {
    const ended = await ran;
    const lines = ended.said.trim().split('\n');
    if (ended.code !== code)
      failures.push(`${what}: a backup ended with ${ended.code} instead of ${code}: ${ended.said}`);
    if (code === 1 && !lines.at(-1)?.startsWith('FILES_URL is ')) failures.push(`${what}: it said ${ended.said}`);
    if (code === 1 && lines.some((one) => /^\s+at /.test(one))) failures.push(`${what}: it printed a stack`);
  };
  try {
    await fill(database.url, bucket.port, env.DATA_DIR);
    for (let round = 0; round < asked.count; round += 1)
      for (const state of states) {
        line.become('good');
        const backup = run('backup', [target], env);
        // It has begun to copy files.
        while (!readdirSync(target).some((name) => existsSync(join(target, name, 'files')))) await sleep(5);
        line.become(state);
        await expectEnd(`the bucket is ${state}`, 1, backup);
        if (readdirSync(target).length > 0) failures.push(`${state}: ${readdirSync(target).join(', ')} was left`);
      }
    line.become('good');
    execFileSync('rm', ['-r', join(bucketFolder, 'attachments')]);
    mkdirSync(join(bucketFolder, 'attachments'));
    await expectEnd('a bucket without its files', 2, run('backup', [target], env));
    return { figures: { 'backups without a bucket': asked.count * states.length, files: fileCount }, failures };
  } finally {
    await line.close();
    await bucket.stop();
    await database.stop();
  }
}

export const bucketDown: Fault = {
  id: 'F21',
  title: 'The bucket goes while a backup is made',
  unit: 'backups for each way to go',
  trials: false,
  counts: { short: 1, full: 20 },
  async run(asked) {
    const folder = openFolder('staff-fault-bucket');
    return tryAll(asked, folder).finally(() => rmSync(folder, { recursive: true, force: true }));
  },
};
