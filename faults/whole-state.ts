// What has to hold of the whole database and the files of tasks after any fault, whatever was written.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { statusRule, taskStatusKeys } from '#core/tasks/task-status.ts';
import { verifyAudit } from '#server/platform/audit/verify-audit.ts';
import type { Services } from '#server/platform/context.ts';
import { databaseClock } from '#server/platform/db/clock.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { markKey, useKey } from '#server/platform/storage/files.ts';
import { sha256 } from './acknowledged-writes.ts';

const log = { info() {}, warn() {}, error: console.error };

/** Each query gives rows only where something is wrong. */
const wrong: Record<string, string> = {
  'a task whose history does not lead to its status': `select t.id from tasks t join lateral (select to_status, version from task_history h where h.task_id = t.id order by h.version desc, h.id desc limit 1) last on true
      where last.to_status <> t.status or last.version <> t.version`,
  'a task without the line of its creation': `select t.id from tasks t where not exists (select from task_history h where h.task_id = t.id and h.event = 'created')`,
  'a history with a gap in its versions or statuses': `select task_id as id from (select task_id, version, from_status, lag(version) over w as previous, lag(to_status) over w as stood from task_history window w as (partition by task_id order by version, id)) steps
      where previous is not null and (version <> previous + 1 or from_status <> stood)`,
  'a change of a task without its row in the audit log, or with two': `select h.task_id as id from (select task_id, count(*) as changes from task_history group by task_id) h
      left join (select subject_id, count(*) as rows from audit_log where subject_type = 'task' group by subject_id) a on a.subject_id = h.task_id::text
      where h.changes is distinct from a.rows`,
  'a key that was remembered for something that is not there': `select made as id from idempotency_keys k where key like 'create %' and not exists (select from tasks where id::text = k.made)`,
};

/** The steps that the table of statuses allows, but for those that stay where they are. */
const steps = new Set(
  taskStatusKeys.flatMap((from) => {
    const { approve, deny, update, movable } = statusRule(from);
    const moves = movable ? taskStatusKeys.filter((to) => statusRule(to).movable) : [];
    return [approve?.to, deny?.to, update, ...moves].filter((to) => to !== undefined).map((to) => `${from} ${to}`);
  }),
);

type Files = { readonly withoutFile: number; readonly otherBytes: number; readonly withoutRow: number };

async function compareFiles(pool: pg.Pool, folder: string): Promise<Files> {
  const { rows } = await pool.query<{ key: string; sha256: string }>(
    `select storage_key as key, encode(sha256, 'hex') as sha256 from task_attachments where storage_key is not null`,
  );
  const stored = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && ![markKey, useKey].includes(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const files = rows.map(({ key, sha256: hash }) => ({ path: join(folder, key), hash }));
  const there = files.filter(({ path }) => stored.has(path));
  return {
    withoutFile: files.length - there.length,
    otherBytes: there.filter(({ path, hash }) => sha256(readFileSync(path)) !== hash).length,
    withoutRow: stored.size - there.length,
  };
}

export type WholeState = {
  readonly auditRows: number;
  /** Files that no task names: the janitor's, days later. */
  readonly filesWithoutRow: number;
  readonly faults: readonly string[];
};

/** Looks at everything; `dataDir` is where the server keeps the files. */
export async function wholeState(url: string, dataDir: string): Promise<WholeState> {
  const database = openDatabase({ url, log, poolSize: 2 });
  try {
    const faults: string[] = [];
    for (const [what, query] of Object.entries(wrong)) {
      const { rows } = await database.pool.query<{ id: string }>(query);
      if (rows[0]) faults.push(`${what}: ${rows.length}, the first is ${rows[0].id}`);
    }
    const { rows } = await database.pool.query<{ step: string }>(
      `select distinct from_status || ' ' || to_status as step from task_history where from_status <> to_status and event <> 'undone'`,
    );
    for (const { step } of rows)
      if (!steps.has(step)) faults.push(`a task went ${step}, which the table of statuses does not know`);
    const { withoutFile, otherBytes, withoutRow } = await compareFiles(database.pool, join(dataDir, 'files'));
    if (withoutFile > 0) faults.push(`${withoutFile} attachments whose file is missing`);
    if (otherBytes > 0) faults.push(`${otherBytes} attachments whose file has other bytes`);
    const clock = await databaseClock(database, log);
    const verdict = await verifyAudit({ database, clock } as Pick<Services, 'database' | 'clock'>, []);
    clock.stop();
    if (verdict.fault !== null) faults.push(`audit log: ${verdict.fault}`);
    return { auditRows: verdict.sealed + verdict.unsealed, filesWithoutRow: withoutRow, faults };
  } finally {
    await database.close();
  }
}
