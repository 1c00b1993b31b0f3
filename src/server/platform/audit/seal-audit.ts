// Seals the rows of the audit log shortly after they were written. Sealing in the same transaction would make
// every change wait for the one before it (docs/decisions/006-audit-chain.md).
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
/** How often the chain's head is logged, out of reach of anyone who can change the database. */
const headLoggedEveryMs = 3_600_000;

/** Seals all waiting rows. Returns the chain's head, or null when another server is sealing. */
export async function sealAudit({ drizzle }: Pick<Database, 'drizzle'>): Promise<ChainHead | null> {
  for (let last: string | null = null; ; ) {
    const head = await sealRows(drizzle, mostRows);
    // The head didn't move, so nothing is waiting.
    if (head === null || head.position === last) return head;
    last = head.position;
  }
}

const retiringMs = 3_600_000;
const retiredPerRound = 10_000;

/** Deletes rows older than 400 days, oldest first. The database function enforces the age. */
export async function retireAudit({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const now = clock.now().toString();
  for (let gone = retiredPerRound; gone === retiredPerRound; )
    gone = await retireRows(database.drizzle, now, retiredPerRound);
}

const headFile = (dataDir: string): string => join(dataDir, 'audit-head.json');

/** The chain's head as this machine last saw it. */
export function savedHead(dataDir: string): ChainHead | null {
  try {
    return JSON.parse(readFileSync(headFile(dataDir), 'utf8')) as ChainHead;
  } catch {
    return null;
  }
}

type Sealing = Pick<Services, 'database' | 'clock' | 'log'> & { readonly config: { readonly dataDir: string } };

/** Seals now and at intervals, keeps the chain's head outside the database, and deletes expired rows. */
export function startSealing({ database, clock, log, config }: Sealing): { stop(): Promise<void> } {
  let kept = savedHead(config.dataDir)?.position;
  let headLoggedAt = Number.NEGATIVE_INFINITY;
  const seal = async () => {
    const head = await sealAudit(database);
    if (head === null || head.position === kept || head.position === '0') return;
    // With an external database and file store, nothing else may have created the folder.
    mkdirSync(config.dataDir, { recursive: true });
    writePrivateFile(headFile(config.dataDir), JSON.stringify(head));
    kept = head.position;
    if (performance.now() - headLoggedAt < headLoggedEveryMs) return;
    headLoggedAt = performance.now();
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

/**
 * For an erasure, run by the owner of the tables: seals waiting rows first, because their hashes must exist
 * before the texts go.
 */
export async function eraseFromAudit(queries: Queries, erasure: Erasure): Promise<void> {
  await sealAudit({ drizzle: queries });
  await eraseTexts(queries, erasure);
}
