// Company-wide lists have a limit, and pages with long rows end earlier.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolCardLimits } from '#core/admin/tool-cards.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { importing } from '../../../../test/people.ts';
import { type Someone, someone } from '../../../../test/task-fixtures.ts';

let app: TestApp;
let admin: Someone;

beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-18T12:00:00Z' });
  admin = await someone(app, { role: 'admin' });
});
afterAll(() => app.stop());

const run = (sql: string, ...values: unknown[]) => app.database.pool.query(sql, values);

test('a page of the audit log ends where its rows are long, and goes on behind them', async () => {
  await run(
    `insert into audit_log (at, action, subject_type, subject_id, after)
     select '2026-11-17T10:00:00Z', 'taskEdited', 'task', n::text, jsonb_build_object('summary', repeat('漢', 30000))
     from generate_series(1, 60) n`,
  );
  const seen: string[] = [];
  let pages = 0;
  for (let after: string | null = null; ; ) {
    const {
      data,
      code,
    }: { data: { auditLog: { rows: { subjectId: string }[]; next: string | null } }; code: string | null } =
      await app.gql(
        admin.token,
        'query ($after: ID) { auditLog(after: $after, action: "taskEdited", limit: 50) { next rows { subjectId differences { after } } } }',
        { after },
      );
    expect(code).toBeNull();
    seen.push(...data.auditLog.rows.map(({ subjectId }) => subjectId));
    pages++;
    after = data.auditLog.next;
    if (after === null) break;
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => String(60 - index)));
  expect(pages).toBeGreaterThan(2);
});

test('there are 300 tools at most', async () => {
  await run(
    `insert into tool_cards (title, group_name, description, link, health_at, place)
     select 'Tool ' || n, 'Group', '', 'https://tool.example', now(), n from generate_series(1, $1::int) n`,
    toolCardLimits.cards,
  );
  const create = 'mutation { createToolCard(title: "One more", group: "Group", link: "https://tool.example") { id } }';
  expect((await app.gql(admin.token, create)).errors?.[0]?.message).toBe(
    'There can be up to 300 tools. Remove one first',
  );
});

const mapping = {
  dataset: 'payments',
  source: 'till',
  currency: 'EUR',
  fields: {
    external_id: 'id',
    attempted_at: 'when',
    order_ref: 'id',
    amount: 'amount',
    status: { constant: 'paid' },
  },
};

test('50 mappings are saved at most, and each can still be saved again', async () => {
  await run(
    `insert into import_mappings (name, dataset, mapping, saved_by, saved_at)
     select 'mapping-' || n, 'payments', $2::jsonb, $3, now() from generate_series(1, $1::int) n`,
    importLimits.mappings,
    JSON.stringify(mapping),
    admin.id,
  );
  const save = (name: string, token = admin.token) =>
    app.gql(
      token,
      'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }',
      { name, mapping: JSON.stringify(mapping) },
    );
  expect((await save('mapping-7')).code).toBeNull();
  expect((await save('one-more')).errors?.[0]?.message).toBe(
    'There can be up to 50 mappings. Use the name of one you no longer need',
  );
  // A person who can’t read their data can’t see or delete them.
  const other = await app.signIn(await app.person({ permissions: importing.filter((one) => one !== 'READ_CODEX') }));
  expect((await save('one-more', other)).errors?.[0]?.message).toBe(
    'There can be up to 50 mappings. Use the name of one you no longer need',
  );
  await run("update import_mappings set dataset = 'orders'");
  expect((await save('one-more', other)).errors?.[0]?.message).toBe(
    'There can be up to 50 mappings. Ask an admin to delete one',
  );
});
