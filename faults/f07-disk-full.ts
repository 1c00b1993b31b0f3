// A volume runs full under writers, and has space again: the one of the database, the one of uploads, the one
// of the log.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '../test/database-folder.ts';
import { graphql } from './calls.ts';
import type { Asked, Fault, Outcome } from './fault.ts';
import { outsideDatabase, Product } from './product.ts';
import { named, runRounds } from './round.ts';
import { type SmallVolume, smallVolume } from './tmpfs.ts';
import { type Tally, withoutAnswer } from './writers.ts';

const fullMs = 2_000;
/** Long enough to find out that there is no space, even if the database had some left. */
const longestFullMs = 60_000;
/** A note as long as it may be, that does not pack well. */
const longNote = () => randomBytes(22_000).toString('base64').slice(0, 29_000);
const addNote = 'mutation ($taskId: ID!, $text: String!) { addNoteToTask(taskId: $taskId, text: $text) { id } }';

/**
 * Writes are refused for want of space or because the database is unreachable; nothing else, and nobody is
 * left without an answer.
 */
function onlyFull(tally: Tally): string[] {
  const others = [...tally.later.keys()].filter((status) => ![503, 507, 409].includes(status));
  return [...withoutAnswer(tally), ...(others.length > 0 ? [`answers of ${others.join(', ')}`] : [])];
}

type Filled = { readonly product: Product; readonly volume: SmallVolume; readonly refuses: boolean };

async function fillAgainAndAgain(asked: Asked, { product, volume, refuses }: Filled): Promise<Outcome> {
  const seen = { reads: 0, readsRefused: 0, refused: 0, inVain: 0 };
  const outcome = await runRounds({
    product,
    asked,
    judge: onlyFull,
    async strike(_random, _round, { staff, tasks }) {
      const [owner] = staff.owners;
      const note = { taskId: tasks.get(owner?.id ?? '')?.id, text: longNote() };
      const started = performance.now();
      let refused = 0;
      volume.fill();
      do {
        const read = await graphql(product.url, staff.approver, '{ getTasks(limit: 5) { id title } }', {});
        seen.reads += 1;
        if (read.kind !== 'done') seen.readsRefused += 1;
        if (refuses && (await graphql(product.url, { token: owner?.token ?? '' }, addNote, note)).kind === 'later')
          refused += 1;
        await sleep(20);
      } while (performance.now() - started < (refuses && refused === 0 ? longestFullMs : fullMs));
      volume.empty();
      seen.refused += refused;
      if (refuses && refused === 0) seen.inVain += 1;
      return undefined;
    },
  });
  return {
    figures: {
      ...outcome.figures,
      'reads while it was full': seen.reads,
      'of them refused': seen.readsRefused,
      'long notes refused': seen.refused,
    },
    failures: [
      ...outcome.failures,
      ...(product.server.child.exitCode === null ? [] : ['the server ended']),
      ...(seen.inVain > 0 ? [`${seen.inVain} times nothing was refused, so nothing was tried`] : []),
    ],
  };
}

async function databaseVolume(asked: Asked): Promise<Outcome> {
  const volume = smallVolume(160);
  try {
    const database = await startDatabase('staff-fault-database', { folder: volume.subfolder('database'), quiet: true });
    const product = new Product({ database });
    try {
      await product.start();
      return await fillAgainAndAgain(asked, { product, volume, refuses: true });
    } finally {
      await product.end();
      await database.stop();
    }
  } finally {
    volume.remove();
  }
}

/** The folder of the server alone: uploads on their way and files. */
async function uploadVolume(asked: Asked): Promise<Outcome> {
  const volume = smallVolume(64);
  const database = await outsideDatabase();
  const product = new Product({ database, dataDir: volume.subfolder('server') });
  try {
    await product.start();
    // From its start the volume has less than 100 MB free: load balancers must go on using the server.
    const ready = await fetch(`${product.url}/readyz`);
    const told = (await ready.json()) as { warnings?: { disk?: string } };
    const isTold = ready.status === 200 && told.warnings?.disk?.startsWith('is almost full');
    const { figures, failures } = await fillAgainAndAgain(asked, { product, volume, refuses: false });
    await sleep(200);
    const half = readdirSync(join(product.dataDir, 'incoming')).length;
    return {
      figures: { ...figures, 'half files left': half },
      failures: [
        ...failures,
        ...(half > 0 ? [`${half} half files were left`] : []),
        ...(isTold ? [] : [`/readyz on an almost full disk: ${ready.status} ${JSON.stringify(told)}`]),
      ],
    };
  } finally {
    await product.end();
    await database.stop();
    volume.remove();
  }
}

/** What the server writes to its standard output goes to a file on the volume. */
async function logVolume(asked: Asked): Promise<Outcome> {
  const volume = smallVolume(4);
  const database = await outsideDatabase();
  const product = new Product({ database, logFile: join(volume.folder, 'server.log') });
  try {
    await product.start();
    return await fillAgainAndAgain(asked, { product, volume, refuses: false });
  } finally {
    await product.end();
    await database.stop();
    volume.remove();
  }
}

export const diskFull: Fault = {
  id: 'F7',
  title: 'A volume runs full: of the database, of uploads, of the log',
  unit: 'times each',
  trials: true,
  counts: { short: 2, full: 20 },
  async run(asked) {
    const outcomes = [
      named('database', await databaseVolume(asked)),
      named('uploads', await uploadVolume(asked)),
      named('log', await logVolume(asked)),
    ];
    return {
      figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      failures: outcomes.flatMap(({ failures }) => failures),
    };
  },
};
