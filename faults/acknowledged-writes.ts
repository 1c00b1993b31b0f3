// The oracle: what a caller wanted and what was acknowledged, each on disk before the next step, and the
// check of the actual state afterwards. Acknowledged means there exactly once and as acknowledged; without an
// answer it may be there once or not at all.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

export const writeKinds = ['create', 'update', 'note', 'upload'] as const;
export type WriteKind = (typeof writeKinds)[number];

/** `content` is what has to be found again: the text that was sent, or the SHA-256 of the file. */
export type Intent = { readonly key: string; readonly kind: WriteKind; readonly content: string };

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

export class AcknowledgedWrites {
  readonly #descriptor: number;
  readonly #file: string;
  #made = 0;

  constructor(folder: string) {
    this.#file = join(folder, 'acknowledged-writes.jsonl');
    this.#descriptor = openSync(this.#file, 'a');
  }

  #write(line: object): void {
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(this.#descriptor);
  }

  /** A key that nothing else has. */
  newKey(kind: WriteKind): string {
    this.#made += 1;
    return `${kind} ${this.#made}`;
  }

  intend(intent: Intent): void {
    this.#write({ intent });
  }

  acknowledge(key: string, id: string): void {
    this.#write({ acknowledged: key, id });
  }

  /** As the file has it. */
  read(): { readonly intents: ReadonlyMap<string, Intent>; readonly acknowledged: ReadonlyMap<string, string> } {
    const intents = new Map<string, Intent>();
    const acknowledged = new Map<string, string>();
    for (const line of readFileSync(this.#file, 'utf8').trim().split('\n').filter(Boolean)) {
      const entry = JSON.parse(line) as { intent?: Intent; acknowledged?: string; id?: string };
      if (entry.intent) intents.set(entry.intent.key, entry.intent);
      if (entry.acknowledged !== undefined) acknowledged.set(entry.acknowledged, entry.id ?? '');
    }
    return { intents, acknowledged };
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

type Found = { readonly key: string; readonly content: string; readonly id: string };

/** Everything of each kind that is in the database, with the key that its writer gave it. */
const found: Record<WriteKind, string> = {
  create: `select title as key, summary as content, id::text from tasks where title like 'create %'`,
  update: `select change as key, after->>'summary' as content, task_id::text as id from task_history where change like 'update %'`,
  note: `select split_part(text, ':', 1) as key, text as content, task_id::text as id from task_notes where text like 'note %'`,
  upload: `select split_part(file_name, '.', 1) as key, encode(sha256, 'hex') as content, id::text from task_attachments where file_name like 'upload %'`,
};

export type Verdict = {
  readonly acknowledged: number;
  /** Unanswered but written. */
  readonly doneUnanswered: number;
  readonly faults: readonly string[];
};

/** Compares what was acknowledged with the actual state. */
export async function compare(writes: AcknowledgedWrites, database: Pick<pg.Pool, 'query'>): Promise<Verdict> {
  const { intents, acknowledged } = writes.read();
  const faults: string[] = [];
  let doneUnanswered = 0;
  for (const kind of writeKinds) {
    const { rows } = await database.query<Found>(found[kind]);
    const rowsOf = Map.groupBy(rows, ({ key }) => key);
    for (const key of rowsOf.keys()) if (!intents.has(key)) faults.push(`${key} is there and nobody sent it`);
    for (const intent of intents.values()) {
      if (intent.kind !== kind) continue;
      const there = rowsOf.get(intent.key) ?? [];
      const id = acknowledged.get(intent.key);
      if (there.length > 1) faults.push(`${intent.key} is there ${there.length} times`);
      if (there.length === 0 && id !== undefined) faults.push(`${intent.key} was acknowledged and is lost`);
      if (there.length > 0 && id === undefined) doneUnanswered += 1;
      const [row] = there;
      if (row && row.content !== intent.content) faults.push(`${intent.key} is there with other content`);
      if (row && id !== undefined && row.id !== id)
        faults.push(`${intent.key} was acknowledged as ${id} and is ${row.id}`);
    }
  }
  return { acknowledged: acknowledged.size, doneUnanswered, faults };
}
