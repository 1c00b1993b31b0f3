// Walks the chain of the audit log and names the first row that is not as it was sealed. It computes every hash itself: the
// functions of the database may have been changed along with the rows.
import { createHash } from 'node:crypto';
import type { Services } from '../context.ts';
import { type ChainHead, type ChainRow, readChain, readOutside } from './audit-chain.store.ts';

/** `fault` is null where everything holds. */
export type AuditVerdict = {
  readonly sealed: number;
  readonly erased: number;
  readonly unsealed: number;
  readonly head: ChainHead | null;
  readonly fault: string | null;
};

const pageRows = 2_000;
/** Rows are sealed within seconds while a server runs; one that waits longer is told. */
const longestWaitSeconds = 600;

/** The action of the row in which an erasure stands. */
export const erasedAction = 'personErased';

/** A text with its length, as the database's audit_text spells it. */
const spelt = (value: string | null): string => `${value === null ? '~' : `${Buffer.byteLength(value)}:${value}`},`;
const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Why this row is not what was sealed at this place, or null. */
function faultOf(row: ChainRow, expected: bigint, previous: Buffer): string | null {
  const place = `row ${row.auditId} (place ${row.position})`;
  if (BigInt(row.position) !== expected) return `place ${expected} of the chain is missing: it was cut out`;
  if (row.id === null) return `${place} is missing: it was deleted`;
  const values = row.valuesSalt === null ? null : sha256(spelt(row.valuesSalt), spelt(row.before), spelt(row.after));
  const address = row.addressSalt === null ? null : sha256(spelt(row.addressSalt), spelt(row.address));
  if ((values === null || address === null) && row.erasedBy !== erasedAction)
    return `${place} lost texts, and no erasure says so`;
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

/** `known`: ends of the chain that were kept elsewhere; each has to be in it still. */
export async function verifyAudit(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  known: readonly ChainHead[],
): Promise<AuditVerdict> {
  const wanted = new Map(known.map(({ position, hash }) => [position, hash]));
  let [previous, sealed, erased, fault]: [Buffer, bigint, number, string | null] = [Buffer.alloc(0), 0n, 0, null];
  walk: for (;;) {
    const rows = await readChain(database.drizzle, String(sealed), pageRows);
    for (const row of rows) {
      const kept = wanted.get(row.position);
      fault = faultOf(row, sealed + 1n, previous);
      if (fault === null && kept !== undefined && kept !== row.hash)
        fault = `place ${row.position} is not the one that was kept: the chain was written anew`;
      if (fault !== null) break walk;
      wanted.delete(row.position);
      previous = Buffer.from(row.hash, 'hex');
      sealed += 1n;
      if (row.erasedIn !== null) erased += 1;
    }
    if (rows.length < pageRows) break;
  }
  const [missing] = wanted.keys();
  if (fault === null && missing !== undefined && missing !== '0')
    fault = `the chain ends at place ${sealed}, and place ${missing} was sealed once: the end was cut off`;
  const outside = await readOutside(database.drizzle, clock.now().toString());
  fault ??= faultOutside(outside);
  const head = sealed === 0n ? null : { position: String(sealed), hash: previous.toString('hex') };
  return { sealed: Number(sealed), erased, unsealed: outside.count, head, fault };
}

function faultOutside({ oldestSeconds, gone }: Awaited<ReturnType<typeof readOutside>>): string | null {
  if (gone !== null) return `row ${gone} is missing: it was deleted before it was sealed`;
  if ((oldestSeconds ?? 0) > longestWaitSeconds)
    return 'rows wait to be sealed for more than ten minutes: no server runs, or they were kept from it';
  return null;
}
