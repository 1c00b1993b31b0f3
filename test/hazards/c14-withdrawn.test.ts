// C14: a task is withdrawn while a file is attached and a note is written, on two servers. Nothing is left
// that no task knows.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { markKey } from '#server/platform/storage/files.ts';
import { rounds } from '../sampling.ts';
import { makeTeam, prepareTasks, type Team } from '../task-fixtures.ts';
import { expectNone } from './rounds.ts';
import { answered, hold, inGroups, type TwoServers, twoServers } from './two-servers.ts';

let servers: TwoServers;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  servers = await twoServers();
  sprintId = await servers.app.sprint();
  team = await makeTeam(servers.app);
});
afterAll(() => servers.stop());

const graphql = (server: 0 | 1, query: string, variables: object) =>
  hold(`${servers.urls[server]}/graphql`, {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${team.owner.token}` },
    body: JSON.stringify({ query, variables }),
  });

function upload(server: 0 | 1, taskId: string) {
  const part = (name: string, value: string) =>
    `--m\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return hold(`${servers.urls[server]}/attachment`, {
    headers: { 'content-type': 'multipart/form-data; boundary=m', authorization: `Bearer ${team.owner.token}` },
    body: `${part('taskId', taskId)}${part('attachment"; filename="a.txt', `of ${taskId}`)}--m--\r\n`,
  });
}

type Row = { id: string; events: string[]; files: number; notes: number };
const traces = `select t.id::text, array(select h.event::text from task_history h where h.task_id = t.id and h.event <> 'created' order by h.id) as events,
    (select count(*)::int from task_attachments f where f.task_id = t.id) as files,
    (select count(*)::int from task_notes n where n.task_id = t.id) as notes
  from tasks t where t.id = any($1)`;

/** The tasks of which one of the servers keeps a file. */
function tasksOfFiles(): string[] {
  return [servers.dataDir].flatMap((folder) =>
    readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== markKey)
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').replace('of ', '')),
  );
}

test('of a task that is withdrawn while somebody writes on it no file and no note is left over', async (context) => {
  const count = rounds(16, 500);
  const ids = await prepareTasks(servers.app.database, count, { ownerId: team.owner.id, sprintId });
  const outcomes = await inGroups(ids, 4, async (id, index) => {
    const [one, two] = index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const held = await Promise.all([
      graphql(one, 'mutation ($id: ID!) { withdrawTask(taskId: $id) { id } }', { id }),
      upload(two, id),
      graphql(two, 'mutation ($id: ID!) { addNoteToTask(taskId: $id, text: "Note") { id } }', { id }),
    ]);
    const [withdrawn, file, note] = await Promise.all(held.map(({ release }) => release()));
    return {
      withdrawn: answered(withdrawn!).code,
      file: file!.status === 201 ? null : JSON.parse(file!.body).error.code,
      note: answered(note!).code,
    };
  });
  const { rows } = await servers.app.database.pool.query<Row>(traces, [ids]);
  const withFile = new Set(tasksOfFiles());
  const late = 'TRANSITION_NOT_ALLOWED';
  const wrong = ids.flatMap((id, index) => {
    const outcome = outcomes[index]!;
    const row = rows.find((candidate) => candidate.id === id)!;
    const isTold =
      outcome.withdrawn === null && [null, late].includes(outcome.file) && [null, late].includes(outcome.note);
    const isWhole =
      row.files === (outcome.file === null ? 1 : 0) &&
      row.notes === (outcome.note === null ? 1 : 0) &&
      withFile.has(id) === (row.files === 1);
    return isTold && isWhole && row.events.at(-1) === 'withdrawn'
      ? []
      : [{ ...outcome, ...row, withFile: withFile.has(id) }];
  });
  expectNone(context, 'C14', count, wrong);
});
