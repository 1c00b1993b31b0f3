// C3: an index that does not mean the same any more. Nobody's click removes a note that was not meant.
import { afterAll, beforeAll, test } from 'vitest';
import { rounds } from '../sampling.ts';
import { makeTeam, prepareTask, type Team } from '../task-fixtures.ts';
import { expectNone } from './rounds.ts';
import { type TwoServers, twoServers } from './two-servers.ts';

let servers: TwoServers;
let team: Team;
let sprintId: string;

beforeAll(async () => {
  servers = await twoServers();
  sprintId = await servers.app.sprint();
  team = await makeTeam(servers.app);
});
afterAll(() => servers.stop());

const list = 'query ($id: ID) { getTasks(taskId: $id) { version notes { id } } }';
const remove =
  'mutation ($id: ID!, $index: Int!, $version: Int) { removeNoteFromTask(taskId: $id, noteIndex: $index, version: $version) { version } }';

type Shown = { readonly version: number; readonly notes: readonly { readonly id: string }[] };

async function shown(id: string): Promise<Shown> {
  return (await servers.app.gql(team.owner.token, list, { id })).data.getTasks[0];
}

async function taskWithNotes(count: number): Promise<string> {
  const id = await prepareTask(servers.app.database, { ownerId: team.owner.id, sprintId, status: 'TODO' });
  await servers.app.database.pool.query(
    `insert into task_notes (task_id, author_id, author_name, text) select $1, $2, 'Owner', n from generate_series(1, $3) n`,
    [id, team.owner.id, count],
  );
  return id;
}

/**
 * Every one wants a note of their own gone and looks again after each conflict, as the page does; gives what
 * went wrong.
 */
async function removeTogether(id: string, wanted: readonly string[]): Promise<{ sent: number; wrong: unknown[] }> {
  let pending = [...wanted];
  let sent = 0;
  const wrong: unknown[] = [];
  const before = (await shown(id)).notes.map((note) => note.id);
  while (pending.length > 0) {
    const { version, notes } = await shown(id);
    const calls = pending.map((note, index) => ({
      server: (index % 2) as 0 | 1,
      token: team.owner.token,
      query: remove,
      variables: { id, index: notes.findIndex((candidate) => candidate.id === note), version },
    }));
    sent += calls.length;
    const answers = await servers.atOnce(calls);
    const made = pending.filter((_note, index) => answers[index]?.code === null);
    const others = answers.filter(({ code }) => code !== null && code !== 'CONFLICT');
    if (made.length !== 1 || others.length > 0) return { sent, wrong: [{ version, made, others }] };
    pending = pending.filter((note) => !made.includes(note));
  }
  const left = (await shown(id)).notes.map((note) => note.id);
  const meant = before.filter((note) => !wanted.includes(note));
  if (left.join() !== meant.join()) wrong.push({ before, wanted, left });
  return { sent, wrong };
}

test('of notes that several remove at once exactly those that were meant go', async (context) => {
  const [tasks, notes, removed] = [rounds(2, 125), 12, 8];
  let interleavings = 0;
  const wrong: unknown[] = [];
  for (let round = 0; round < tasks; round++) {
    const id = await taskWithNotes(notes);
    const all = (await shown(id)).notes.map((note) => note.id);
    // Not always the first ones: every third is left.
    const wanted = all.filter((_note, index) => (index + round) % 3 > 0).slice(0, removed);
    const { wrong: found } = await removeTogether(id, wanted);
    interleavings += wanted.length;
    wrong.push(...found);
  }
  expectNone(context, 'C3', interleavings, wrong);
});

test('a removal by index that is sent twice with one key and without a version removes one note', async (context) => {
  const count = rounds(3, 100);
  const wrong: unknown[] = [];
  for (let round = 0; round < count; round++) {
    const id = await taskWithNotes(3);
    const [first] = (await shown(id)).notes;
    const call = (server: 0 | 1) => ({
      ...{ server, token: team.owner.token, query: remove, key: `remove ${id}`.replace(' ', '-') },
      variables: { id, index: 0 },
    });
    const answers = await servers.atOnce([call(0), call(1)]);
    answers.push(await servers.call(call(round % 2 ? 0 : 1)));
    const left = (await shown(id)).notes.map((note) => note.id);
    const codes = answers.map(({ code }) => code);
    const isRight = left.length === 2 && !left.includes(first?.id ?? '') && codes.at(-1) === null;
    if (!isRight || codes.some((code) => code !== null && code !== 'STILL_RUNNING')) wrong.push({ left, codes });
  }
  expectNone(context, 'C3', count, wrong);
});
