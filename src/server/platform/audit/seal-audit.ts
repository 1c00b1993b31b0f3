// Seals the rows of the audit log a moment after they were written. Not in the transaction that wrote them: a chain has one end,
// and every change of the product would wait for the one before it (docs/decisions/006-audit-chain.md).
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '../context.ts';
import type { Database, Queries } from '../db/database.ts';
import { writePrivateFile } from '../db/kept-secret.ts';
import {
  type ChainHead,
  type Erasure,
  eraseTexts,
  readHead,
  readUnsealed,
  retireRows,
  sealRows,
} from './audit-chain.store.ts';

const everyMs = 5_000;
const mostRows = 500;
/** How often the end of the chain goes to the log, where whoever changes the database does not reach it. */
const toldEveryMs = 3_600_000;

/** Seals all that waits; gives the end of the chain, or null where another server seals. */
export async function sealAudit({ drizzle }: Pick<Database, 'drizzle'>): Promise<ChainHead | null> {
  for (let last: string | null = null; ; ) {
    const head = await sealRows(drizzle, mostRows);
    // Nothing moved: nothing waits any more.
    if (head === null || head.position === last) return head;
    last = head.position;
  }
}

const retiringMs = 3_600_000;
const retiredAtOnce = 10_000;

/** Takes away what was kept for 400 days, the oldest first; the function of the database decides what is old enough. */
export async function retireAudit({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const now = clock.now().toString();
  for (let gone = retiredAtOnce; gone === retiredAtOnce; )
    gone = await retireRows(database.drizzle, now, retiredAtOnce);
}

const headFile = (dataDir: string): string => join(dataDir, 'audit-head.json');

/** The end of the chain as this machine saw it last. */
export function keptHead(dataDir: string): ChainHead | null {
  try {
    return JSON.parse(readFileSync(headFile(dataDir), 'utf8')) as ChainHead;
  } catch {
    return null;
  }
}

type Sealing = Pick<Services, 'database' | 'clock' | 'log'> & { readonly config: { readonly dataDir: string } };

/** Seals now and from time to time, keeps the end of the chain outside the database, and lets go what is old. */
export function startSealing({ database, clock, log, config }: Sealing): { stop(): Promise<void> } {
  let kept = keptHead(config.dataDir)?.position;
  let toldAt = Number.NEGATIVE_INFINITY;
  const seal = async () => {
    const head = await sealAudit(database);
    if (head === null || head.position === kept || head.position === '0') return;
    // With an outside database and an outside store nothing else may have made it.
    mkdirSync(config.dataDir, { recursive: true });
    writePrivateFile(headFile(config.dataDir), JSON.stringify(head));
    kept = head.position;
    if (performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    log.info({ auditHead: head }, 'the audit log is sealed up to here');
  };
  let retiredAt = Number.NEGATIVE_INFINITY;
  const retire = async () => {
    if (performance.now() - retiredAt < retiringMs) return;
    retiredAt = performance.now();
    await retireAudit({ database, clock });
  };
  const quietly = () =>
    seal()
      .then(retire)
      .catch((error) => log.warn({ err: error }, 'the audit log could not be sealed or cut'));
  let running = quietly();
  const timer = setInterval(() => {
    running = running.then(quietly);
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running.then(quietly);
    },
  };
}

export type ChainState = {
  readonly head: ChainHead | null;
  readonly unsealed: number;
  readonly oldestUnsealedSeconds: number;
};

export async function chainState({ database }: Pick<Services, 'database'>): Promise<ChainState> {
  const [head, waiting] = await Promise.all([readHead(database.drizzle), readUnsealed(database.drizzle)]);
  return { head, ...waiting };
}

/** For an erasure, by the owner of the tables: seals what waits, so that the hashes are there before the texts go. */
export async function eraseFromAudit(queries: Queries, erasure: Erasure): Promise<void> {
  await sealAudit({ drizzle: queries });
  await eraseTexts(queries, erasure);
}
