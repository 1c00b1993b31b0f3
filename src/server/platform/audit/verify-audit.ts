// Walks the audit chain and names the first row that differs from what was sealed. It computes every hash
// itself, because an attacker could have changed the database's functions too.
import { createHash } from 'node:crypto';
import type { Services } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { type ChainHead, type ChainRow, readChain, readOutside, readRetired } from './audit-chain.store.ts';

/** `fault` is null when the chain is intact. */
export type AuditVerification = {
  /** The last retired position; null when the chain is complete. */
  readonly retired: string | null;
  /** The number of links. */
  readonly sealed: number;
  readonly erased: number;
  readonly unsealed: number;
  readonly head: ChainHead | null;
  readonly fault: string | null;
};

const pageRows = 2_000;
/** A running server seals rows within seconds, so a row that waits longer is reported. */
const longestWaitSeconds = 600;

/** The action that marks a row as an erasure. */
export const erasedAction = 'personErased';

/** Prefixes a text with its length, like the database's audit_text. */
const spelt = (value: string | null): string => `${value === null ? '~' : `${Buffer.byteLength(value)}:${value}`},`;
const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Why this row isn't what was sealed at this position, or null. */
function faultOf(row: ChainRow, expected: bigint, previous: Buffer): string | null {
  const place = `row ${row.auditId} (entry ${row.position})`;
  if (BigInt(row.position) !== expected) return `entry ${expected} of the chain is missing: it was cut out`;
  if (row.id === null) return `${place} is missing: it was deleted`;
  const values = row.valuesSalt === null ? null : sha256(spelt(row.valuesSalt), spelt(row.before), spelt(row.after));
  const address = row.addressSalt === null ? null : sha256(spelt(row.addressSalt), spelt(row.address));
  if ((values === null || address === null) && row.erasedBy !== erasedAction)
    return `${place} has lost texts that nobody erased`;
  if (values === null ? row.before !== null || row.after !== null : values.toString('hex') !== row.valuesHash)
    return `${place} was changed: before and after are not what was sealed`;
  if (address === null ? row.address !== null : address.toString('hex') !== row.addressHash)
    return `${place} was changed: the address is not what was sealed`;
  if (linkOf(row, previous).toString('hex') !== row.hash)
    return `${place} was changed, or a row before it was taken out`;
  return null;
}

function linkOf(row: ChainRow, previous: Buffer): Buffer {
  const fields = [row.position, row.id, row.milliseconds, row.actorId, row.action, row.subjectType, row.subjectId];
  return sha256(
    previous,
    [...fields, row.requestId].map(spelt).join(''),
    Buffer.from(row.valuesHash, 'hex'),
    Buffer.from(row.addressHash, 'hex'),
  );
}

type Walked = { readonly end: ChainHead; readonly erased: number; readonly fault: string | null };

const serializedRow = (position: string): string =>
  `entry ${position} differs from the one recorded earlier: the chain was rewritten`;

/** Walks the chain from its first link and removes each head it passes from `wanted`. */
async function walk(queries: Queries, start: ChainHead, wanted: Map<string, string>): Promise<Walked> {
  let [previous, position, erased]: [Buffer, bigint, number] = [
    Buffer.from(start.hash, 'hex'),
    BigInt(start.position),
    0,
  ];
  const walked = (fault: string | null): Walked => {
    return { end: { position: String(position), hash: previous.toString('hex') }, erased, fault };
  };
  for (;;) {
    const rows = await readChain(queries, String(position), pageRows);
    for (const row of rows) {
      const fault = faultOf(row, position + 1n, previous);
      if (fault !== null) return walked(fault);
      if ((wanted.get(row.position) ?? row.hash) !== row.hash) return walked(serializedRow(row.position));
      wanted.delete(row.position);
      previous = Buffer.from(row.hash, 'hex');
      position += 1n;
      if (row.erasedIn !== null) erased += 1;
    }
    if (rows.length < pageRows) return walked(null);
  }
}

/** The position before the first link. */
const nothing: ChainHead = { position: '0', hash: '' };

/** `known`: heads saved elsewhere. Each must still be in the chain unless it was retired. */
export async function verifyAudit(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  known: readonly ChainHead[],
): Promise<AuditVerification> {
  return database.transaction(
    async (queries) => {
      const retired = await readRetired(queries);
      const start = retired ?? nothing;
      const kept = known.filter(({ position }) => BigInt(position) >= BigInt(start.position));
      const wanted = new Map(kept.map(({ position, hash }) => [position, hash]));
      const isOther = retired !== null && (wanted.get(retired.position) ?? retired.hash) !== retired.hash;
      wanted.delete(start.position);
      const { end, erased, ...walked } = await walk(queries, start, wanted);
      const outside = await readOutside(queries, clock.now().toString());
      const [missing] = wanted.keys();
      const fault =
        (isOther ? serializedRow(start.position) : walked.fault) ??
        (missing === undefined
          ? faultOutside(outside)
          : `the chain ends at entry ${end.position}, but entry ${missing} was sealed before: the end was cut off`);
      const sealed = Number(BigInt(end.position) - BigInt(start.position));
      const head = end.position === nothing.position ? null : end;
      return { retired: retired?.position ?? null, sealed, erased, unsealed: outside.count, head, fault };
    },
    // It reads the whole log.
    { snapshot: true, isLong: true },
  );
}

function faultOutside({ oldestSeconds, gone }: Awaited<ReturnType<typeof readOutside>>): string | null {
  if (gone !== null) return `row ${gone} is missing: it was deleted before it was sealed`;
  if ((oldestSeconds ?? 0) > longestWaitSeconds)
    return 'rows have waited more than ten minutes to be sealed: no server is running, or something prevents sealing';
  return null;
}
