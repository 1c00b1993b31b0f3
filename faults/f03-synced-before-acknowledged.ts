// What a power cut would leave: the system calls of server and database are watched, and each acknowledgement
// has to come after the database's log, and an uploaded file, was synced to the disk. A kill alone does not
// show it, as the system's cache outlives the process.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../test/database-folder.ts';
import { graphql, upload } from './calls.ts';
import { CannotRun, type Fault } from './fault.ts';
import { makeStaff, Product } from './product.ts';

type Span = { readonly what: string; readonly from: number; readonly to: number };
type Sync = { readonly at: number; readonly call: string };

const syncLine = /^\d+ +(\d+\.\d+) (?:<\.\.\. )?(fsync|fdatasync)\b(.*)$/;

/** When a sync ended, by the clock of this machine in seconds. */
function syncsOf(trace: string): Sync[] {
  return trace.split('\n').flatMap((line) => {
    const [, at, call, rest = ''] = syncLine.exec(line) ?? [];
    return at !== undefined && call !== undefined && / = 0$/.test(rest) ? [{ at: Number(at), call }] : [];
  });
}

const now = () => (performance.timeOrigin + performance.now()) / 1_000;

/** One write after the other, because each needs a separate sync. */
async function writeInTurn(product: Product, count: number): Promise<Span[]> {
  const { owners } = await makeStaff(product.databaseUrl, 1);
  const [{ id: userId, token } = { id: '', token: '' }] = owners;
  const spans: Span[] = [];
  let taskId = '';
  for (let turn = 0; turn < count; turn++) {
    const from = now();
    const what = turn % 3 === 0 ? 'create' : turn % 3 === 1 ? 'note' : 'upload';
    const answer =
      what === 'create'
        ? await graphql(
            product.url,
            { token },
            'mutation ($userId: ID!) { createTask(title: "Written", userId: $userId) { id } }',
            { userId },
          )
        : what === 'note'
          ? await graphql(
              product.url,
              { token },
              'mutation ($taskId: ID!) { addNoteToTask(taskId: $taskId, text: "Noted") { id } }',
              { taskId },
            )
          : await upload(product.url, { token }, { taskId, name: 'note.txt', content: Buffer.from(`file ${turn}`) });
    const to = now();
    if (answer.kind !== 'done') throw new Error(`${what} was not made: ${JSON.stringify(answer)}`);
    if (what === 'create') taskId = answer.body.data.createTask.id;
    spans.push({ what, from, to });
  }
  return spans;
}

export const syncedBeforeAcknowledged: Fault = {
  id: 'F3',
  title: 'The power fails: every acknowledgement comes after a sync to the disk',
  unit: 'writes',
  trials: true,
  counts: { short: 15, full: 300 },
  async run({ count }) {
    if (spawnSync('strace', ['-V']).status !== 0) throw new CannotRun('strace');
    const folder = openFolder('staff-fault');
    const trace = join(folder, 'trace.txt');
    // -D: the process that is started is the server, and what is sent to it reaches it.
    const under = ['strace', '-D', '-f', '--seccomp-bpf', '-ttt', '-e', 'trace=fsync,fdatasync', '-o', trace];
    const product = new Product({ folder, under });
    try {
      await product.start();
      const spans = await writeInTurn(product, count);
      const settings = await product.query<{ name: string; setting: string }>(
        `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums') order by name`,
      );
      await product.server.stop();
      const syncs = syncsOf(readFileSync(trace, 'utf8'));
      const within = ({ from, to }: Span) => syncs.filter(({ at }) => at >= from && at <= to);
      const unsynced = spans.filter((span) => !within(span).some(({ call }) => call === 'fdatasync'));
      // The file, then its name in the folder.
      const files = spans.filter(
        (span) => span.what === 'upload' && within(span).filter(({ call }) => call === 'fsync').length < 2,
      );
      return {
        figures: {
          ...Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
          acknowledgements: spans.length,
          'syncs of the database’s log within them': spans.flatMap(within).filter(({ call }) => call === 'fdatasync')
            .length,
          'acknowledged without a sync': unsynced.length,
          'files acknowledged without two syncs': files.length,
        },
        failures: [
          ...settings.filter(({ setting }) => setting !== 'on').map(({ name }) => `${name} is not on`),
          ...unsynced.map(({ what }) => `a ${what} was acknowledged before the database’s log was synced`),
          ...files.map(() => 'an upload was acknowledged before its file and its folder were synced'),
        ],
      };
    } finally {
      await product.end();
    }
  },
};
