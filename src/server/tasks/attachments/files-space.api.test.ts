// How much room files take: on the disk, of one person and of one task.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { taskLimits } from '#core/base/limits.ts';
import { type FileStore, useKey } from '#server/platform/storage/files.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { uploadForm } from '../../../../test/matrix/samples.ts';
import { makeTeam, prepareTask, type Team } from '../../../../test/task-fixtures.ts';
import { clearAway } from './attachments.service.ts';

let app: TestApp;
let team: Team;
let sprintId: string;
let id: string;
/** What the store says for so many bytes. */
let isFullWith: FileStore['isFullWith'];

beforeAll(async () => {
  app = await startTestApp();
  const { files } = app.parts;
  const real = files.isFullWith.bind(files);
  beforeEach(() => {
    isFullWith = real;
  });
  (files as { isFullWith: FileStore['isFullWith'] }).isFullWith = (bytes) => isFullWith(bytes);
  sprintId = await app.sprint();
});
beforeEach(async () => {
  team = await makeTeam(app);
  id = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
});
afterAll(() => app.stop());

const run = (sql: string, ...values: unknown[]) => app.database.pool.query(sql, values);
const upload = async (token: string, taskId = id) => {
  const answer = await app.call({ method: 'POST', url: '/attachment', ...uploadForm(taskId, `Bearer ${token}`) });
  return [answer.statusCode, answer.json().error?.code ?? null];
};
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== useKey,
  ).length;
const stored = () => [filesIn(join(app.parts.config.dataDir, 'files')), filesIn(app.parts.files.incoming)];
/** Files of so many bytes in another task, removed ones by default. */
const attached = async (bytes: number, { at = app.clock.now().subtract({ hours: 23 }), count = 1 } = {}) => {
  const other = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  await run(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, at, removed_at)
     select $1, $2, 'Owner', 'a.txt', 'text/plain', $3, $4, $4 from generate_series(1, $5)`,
    ...[other, team.owner.id, bytes, at.toString(), count],
  );
};

test('a disk that is almost full takes no file, before its bytes or after them, and keeps none', async () => {
  const before = stored();
  isFullWith = async () => true;
  expect(await upload(team.owner.token)).toEqual([507, 'OUT_OF_SPACE']);
  // Others used the room while the file came.
  const asked: number[] = [];
  isFullWith = async (bytes) => asked.push(bytes) > 1;
  expect(await upload(team.owner.token)).toEqual([507, 'OUT_OF_SPACE']);
  expect(asked).toEqual([expect.any(Number), 0]);
  expect(asked[0]).toBeGreaterThan(4);
  expect(stored()).toEqual(before);
  isFullWith = async () => false;
  expect(await upload(team.owner.token)).toEqual([201, null]);
});

test('a person attaches 2 GB within a day, removed files too, and more after it', async () => {
  await attached(taskLimits.fileBytesADay / 4, { count: 3 });
  await attached(taskLimits.fileBytesADay / 4 - 4);
  expect(await upload(team.owner.token)).toEqual([201, null]);
  const before = stored();
  expect(await upload(team.owner.token)).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  expect(stored()).toEqual(before);
  expect(await upload(team.approver.token)).toEqual([201, null]);
  await run("update task_attachments set at = at - interval '1 day' where author_id = $1", team.owner.id);
  expect(await upload(team.owner.token)).toEqual([201, null]);
});

test('files that come at the same time in other tasks take no more than what is left of the day', async () => {
  const other = await prepareTask(app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  await attached(taskLimits.fileBytesADay - 4);
  const answers = await Promise.all([upload(team.owner.token), upload(team.owner.token, other)]);
  expect(answers.map(([status]) => status).sort()).toEqual([201, 429]);
});

test('a session that proved nothing lately attaches half of a day’s bytes', async () => {
  const stale = team.owner.token;
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(team.owner.id);
  await attached(taskLimits.fileBytesADay / 2 - 4);
  expect(await upload(stale)).toEqual([201, null]);
  const before = stored();
  expect(await upload(stale)).toEqual([403, 'CONFIRM_IDENTITY']);
  expect(stored()).toEqual(before);
  expect(await upload(fresh)).toEqual([201, null]);
});

/** Files of one byte in the task, removed ones if so. */
const filed = (count: number, author = team.owner, removedAt: string | null = null) =>
  run(
    `insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, at, storage_key, removed_at)
     select $1, $2, 'Someone', 'a.txt', 'text/plain', 1, $4, gen_random_uuid(), $5 from generate_series(1, $3)`,
    ...[id, author.id, count, '2026-11-17T10:00:00Z', removedAt],
  );
const changeFiles = (call: string, token = team.owner.token) =>
  app.gql(token, `mutation { ${call} { attachments { id } } }`);
const restoreFirst = async (token = team.owner.token) => {
  const { rows } = await run(
    'select min(id)::text as id from task_attachments where task_id = $1 and removed_at is not null',
    id,
  );
  return changeFiles(`restoreAttachment(taskId: "${id}", attachmentId: "${rows[0].id}")`, token);
};

test('a task takes 100 files of its owner and as many of other people, and neither uses up the other’s room', async () => {
  await filed(taskLimits.files);
  const full = [409, 'TRANSITION_NOT_ALLOWED'];
  expect(await upload(team.owner.token)).toEqual(full);
  expect(await upload(team.approver.token)).toEqual([201, null]);
  await filed(taskLimits.files - 1, team.approver);
  for (const other of [team.approver, team.admin]) expect(await upload(other.token)).toEqual(full);
});

test('removing a file makes room, and it comes back only while there is room', async () => {
  await filed(taskLimits.files);
  const { data } = await changeFiles(`removeAttachmentFromTask(taskId: "${id}", attachmentIndex: 0)`);
  expect(data.removeAttachmentFromTask.attachments).toHaveLength(taskLimits.files - 1);
  expect(await upload(team.owner.token)).toEqual([201, null]);
  expect((await restoreFirst()).errors?.[0]?.message).toBe(
    'A task can have up to 100 files from its owner and 100 from other people. Remove one you no longer need',
  );
  await changeFiles(`removeAttachmentFromTask(taskId: "${id}", attachmentIndex: 50)`);
  expect((await restoreFirst()).code).toBeNull();
});

test('a session that proved nothing lately fills half of a task’s files, also with removed ones', async () => {
  const stale = team.owner.token;
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(team.owner.id);
  await filed(1, team.owner, app.clock.now().toString());
  await filed(taskLimits.files / 2 - 1);
  expect(await upload(stale)).toEqual([201, null]);
  const before = stored();
  expect(await upload(stale)).toEqual([403, 'CONFIRM_IDENTITY']);
  expect(stored()).toEqual(before);
  expect((await restoreFirst(stale)).code).toBe('CONFIRM_IDENTITY');
  expect((await restoreFirst(fresh)).code).toBeNull();
  expect(await upload(fresh)).toEqual([201, null]);
});

const removedFor = async (hours: number) => {
  expect(await upload(team.owner.token)).toEqual([201, null]);
  const remove = `mutation { removeAttachmentFromTask(taskId: "${id}", attachmentIndex: 0) { id } }`;
  expect((await app.gql(team.owner.token, remove)).code).toBeNull();
  const at = app.clock.now().subtract({ hours }).toString();
  const { rows } = await run(
    `update task_attachments set removed_at = $2 where id = (select max(id) from task_attachments where task_id = $1)
     returning id::text, storage_key as key`,
    ...[id, at],
  );
  return rows[0] as { id: string; key: string };
};

test('a file that was removed over 30 days ago is deleted, and one removed since can come back', async () => {
  const [old, recent] = [await removedFor(30 * 24 + 1), await removedFor(30 * 24 - 1)];
  const restore = ({ id: fileId }: { id: string }) =>
    app.gql(team.owner.token, `mutation { restoreAttachment(taskId: "${id}", attachmentId: "${fileId}") { id } }`);
  const { errors } = await restore(old);
  expect([errors?.[0]?.message, errors?.[0]?.extensions]).toMatchObject([
    'This file was removed over 30 days ago and has been deleted. Attach it again',
    { code: 'TOO_LATE' },
  ]);

  expect((await restore(recent)).code).toBeNull();
  await run('update task_attachments set removed_at = $2 where id = $1', recent.id, app.clock.now().toString());

  const usual = app.clock.now();
  const keptAfter = async (days: number) => {
    // The store's times are real, so the clock is ahead of them.
    app.clock.set(Temporal.Now.instant().add({ hours: 24 * days }));
    await run(
      'update task_attachments set removed_at = $2 where id = $1',
      ...[
        recent.id,
        app.clock
          .now()
          .subtract({ hours: 30 * 24 - 1 })
          .toString(),
      ],
    );
    await clearAway(app.parts);
    const keys: string[] = [];
    for await (const some of app.parts.files.keys()) keys.push(...some);
    return [old, recent].map(({ key }) => keys.includes(key));
  };
  // The first one notes who uses the files; the second one lets go of the content, and the third deletes it.
  expect([await keptAfter(60), await keptAfter(64), await keptAfter(65)]).toEqual([
    [true, true],
    [true, true],
    [false, true],
  ]);
  const { rows } = await run('select storage_key as key from task_attachments where id = $1', old.id);
  expect(rows).toEqual([{ key: null }]);
  app.clock.set(usual);
});
