import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { scopes } from '#core/access/brands.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeWorkbook, rowsOfCells } from '../../../test/make-workbook.ts';

let server: TestApp;
let keeper: string;
beforeAll(async () => {
  server = await startTestApp();
  await server.person({ role: 'Staff' });
  const boss = await server.person({ email: 'boss@example.test', role: 'Lead' });
  await server.person({ role: 'Staff', approvers: [boss] });
  keeper = await server.signIn(
    await server.person({ role: 'Keeper', permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_TOP_5'] }),
  );
});
afterAll(() => server.stop());

const sendWhole = async (text: string | Buffer, dryRun: boolean, token = keeper) => {
  const answer = await server.call({
    method: 'POST',
    url: '/api/people/import',
    headers: { authorization: `Bearer ${token}` },
    payload: { file: Buffer.from(text).toString('base64'), dryRun },
  });
  return { status: answer.statusCode, ...answer.json() };
};
/** The answer without the people to invite, who exist only after the import. */
const send = async (...sent: Parameters<typeof sendWhole>) => {
  const { uninvited: _people, warnings: _warnings, ...answer } = await sendWhole(...sent);
  return answer;
};
const outcomes = ({ rows }: { rows: { email: string; outcome: string }[] }) =>
  rows.map(({ email, outcome }) => `${email} ${outcome}`);
const stored = async () =>
  (
    await server.database.pool.query(
      `select email, first_name, role, team, grants, array(select b.email from approvers a join people b on b.id = a.approver_id where a.person_id = p.id order by 1) as approvers
       from people p where email like '%new.test' order by email`,
    )
  ).rows;

const file = [
  'E-mail;First name;Last name;Role;Team;Approvers;Top-5;Shoe size',
  'zoe@new.test;Zoë;Quinn;staff;Green;boss@example.test;yes;38',
  'lead@new.test;Lee;Lead;Lead;Green;boss@example.test;no;',
  'first@new.test;Fi;Rst;Staff;Green;lead@new.test;;',
  'pilot@new.test;Pia;Lott;Pilot;;;;',
  'moon@new.test;Mo;On;Staff;Moon;;;',
  'zoe@new.test;Again;Quinn;Staff;;;;',
  'alone@new.test;Al;One;Staff;;nobody@new.test;;',
  'king@new.test;Ki;Ng;admin;;;;',
  'no address;No;One;Staff;;;;',
  'script@new.test;<script>alert(1)</script>;X;Staff;;;maybe;',
].join('\n');

test('is refused to people without user management', async () => {
  const staff = await server.signIn(await server.person({ role: 'Staff' }));
  expect((await send(file, true, staff)).status).toBe(403);
  expect((await send(file, false, 'x'.repeat(43))).status).toBe(401);
});

test('what is no list of people is refused as a whole', async () => {
  for (const text of ['', 'a;b\n1;2', '{"a":1}\n{"a":2}']) {
    const answer = await send(text, false);
    expect([text, answer.status, answer.error.code]).toEqual([text, 400, 'BAD_INPUT']);
  }
});

test('a list in an Excel workbook is read like one in CSV', async () => {
  const rows = [
    ['E-mail', 'First name', 'Last name', 'Shoe size'],
    ['excel@excel.test', 'Ex', 'Cel', 38],
    ['nobody', 'No', 'One', null],
  ];
  const book = makeWorkbook({ sheets: [{ name: 'People', data: rowsOfCells(rows) }] });
  const dry = await send(book, true);
  expect([dry.unused, outcomes(dry)]).toEqual([['Shoe size'], ['excel@excel.test created', 'nobody refused']]);
  const old = await send(Buffer.from('d0cf11e0a1b11ae1'.padEnd(2048, '0'), 'hex'), true);
  expect(old.error.message).toContain('is an old Excel file (.xls). Save it as .xlsx or CSV');
});

test('the dry run says of every row what the import then does, and writes nothing', async () => {
  const dry = await send(file, true);
  expect(await stored()).toEqual([]);
  expect(dry.unused).toEqual(['Shoe size']);
  const real = await send(file, false);
  expect(real).toEqual(dry);
  expect(outcomes(real)).toEqual([
    'zoe@new.test created',
    'lead@new.test created',
    'first@new.test refused',
    'pilot@new.test refused',
    'moon@new.test refused',
    'zoe@new.test refused',
    'alone@new.test refused',
    'king@new.test refused',
    'no address refused',
    'script@new.test refused',
  ]);
  const reasons = real.rows.map(({ reason }: { reason: string | null }) => reason);
  expect(reasons.slice(2)).toEqual([
    'Lee Lead doesn’t approve anyone yet. Ask an admin to make them an approver',
    'There is no role “Pilot”',
    'There is no team “Moon”',
    'zoe@new.test is already on line 2',
    'No account has the approver’s email address nobody@new.test',
    'Only admins can make someone an admin',
    expect.stringContaining('email address isn’t valid'),
    'Top-5 is “maybe”. Use yes or no',
  ]);
  expect(await stored()).toEqual([
    {
      email: 'lead@new.test',
      first_name: 'Lee',
      role: 'Lead',
      team: 'green',
      grants: [],
      approvers: ['boss@example.test'],
    },
    {
      email: 'zoe@new.test',
      first_name: 'Zoë',
      role: 'Staff',
      team: 'green',
      grants: ['VIEW_TOP_5'],
      approvers: ['boss@example.test'],
    },
  ]);
});

test('a preview asks once for many rows which teams others watch, because that looks at everyone', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `many${at}@new.test;Ma;Ny;Staff;Green;boss@example.test`);
  const asked = vi.spyOn(server.database.pool, 'query');
  try {
    const { rows: done } = await send(['E-mail;First name;Last name;Role;Team;Approvers', ...rows].join('\n'), true);
    expect(done.map(({ outcome }: { outcome: string }) => outcome)).toEqual(rows.map(() => 'created'));
    const reads = asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('wanted = any(p.grants)'));
    expect(reads).toHaveLength(1);
  } finally {
    asked.mockRestore();
  }
});

test('an admin’s file makes new people approvers of each other’s teams', async () => {
  const token = await server.signIn(await server.person({ role: 'admin' }));
  const text = 'email,role,approvers\nnewcomer@new2.test,Staff,newlead@new2.test\nnewlead@new2.test,Lead,';
  const dry = await send(text, true, token);
  expect(outcomes(dry)).toEqual(['newcomer@new2.test created', 'newlead@new2.test created']);
  expect(await send(text, false, token)).toEqual(dry);
});

test('the second run changes nothing; a changed row changes its person and leaves alone what it does not say', async () => {
  const before = (await server.database.pool.query('select from audit_log')).rowCount;
  expect(outcomes(await send(file, false)).slice(0, 2)).toEqual(['zoe@new.test unchanged', 'lead@new.test unchanged']);
  expect((await server.database.pool.query('select from audit_log')).rowCount).toBe(before);
  const changed = 'email,team,top 5\nZOE@new.test,give,\nlead@new.test,,on';
  expect(outcomes(await send(changed, true))).toEqual(['ZOE@new.test changed', 'lead@new.test changed']);
  await send(changed, false);
  expect(await stored()).toMatchObject([
    { email: 'lead@new.test', team: 'green', grants: ['VIEW_TOP_5'], approvers: ['boss@example.test'] },
    { email: 'zoe@new.test', team: 'give', grants: ['VIEW_TOP_5'], role: 'Staff' },
  ]);
});

test('each row names the fields it changes, old to new, in the preview as in the import', async () => {
  const token = await server.signIn(await server.person({ role: 'admin' }));
  const header = 'email,first name,last name,team,approvers,top 5';
  await send(`${header}\nkim@named.test,Kim,Quinn,give,boss@example.test,yes`, false, token);
  const text = [
    header,
    'kim@named.test,Kim,Changed,green,"boss@example.test,chief@named.test",no',
    'Chief@Named.test,Ada,Chief,,,',
    'boss@example.test,,,,,',
  ].join('\n');
  const dry = await send(text, true, token);
  const changes = dry.rows.map((row: { changes: { field: string; before: string; after: string }[] }) =>
    row.changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`),
  );
  const boss = (await server.gql(token, '{ peopleToChoose(find: "boss@") { displayName } }')).data.peopleToChoose[0];
  expect(changes).toEqual([
    [
      'Last name: Quinn → Changed',
      `Team: ${scopes.give.title} → ${scopes.green.title}`,
      `Approvers: ${boss.displayName} → ${boss.displayName}, Ada Chief`,
      'S.T.A.R.T: on → off',
    ],
    ['First name: none → Ada', 'Last name: none → Chief'],
    [],
  ]);
  expect(await send(text, false, token)).toEqual(dry);
});

test('the preview refuses to take the role of the last admin, as the import does', async () => {
  await server.database.pool.query("update people set role = null where role = 'admin'");
  const only = await server.person({ email: 'only@new.test', role: 'admin' });
  await server.database.pool.query("update people set password_hash = 'x' where id = $1", [only]);
  const admin = await server.signIn(only);
  const text = 'Email;Role\nonly@new.test;Staff';
  const preview = await send(text, true, admin);
  expect(preview.rows).toMatchObject([{ outcome: 'refused', reason: expect.stringContaining('last admin') }]);
  expect((await send(text, false, admin)).rows).toEqual(preview.rows);
});

test('a role whose requirements someone lacks is refused by their names, or given for the reason of the row', async () => {
  await server.database.pool.query(
    "insert into role_requirements (role_id, kind, title) select id, 'training', 'First aid' from roles where name = 'Lead'",
  );
  const text = 'email,role,reason\nnext@new.test,Lead,\nzoe@new.test,Lead,\nable@new.test,Lead,Trained elsewhere';
  const reason =
    'The role Lead requires “First aid”, which this person doesn’t have. Enter a reason to give the role anyway. Its column is “reason”';
  for (const dryRun of [true, false])
    expect((await send(text, dryRun)).rows).toMatchObject([
      { outcome: 'refused', reason },
      { outcome: 'refused', reason },
      { outcome: 'created', reason: null },
    ]);
  const { rows } = await server.database.pool.query(
    "select after from audit_log where action = 'personCreated' and after ->> 'email' = 'able@new.test'",
  );
  expect(rows).toMatchObject([{ after: { role: 'Lead', lacking: ['First aid'], reason: 'Trained elsewhere' } }]);
});

test('an import counts the new people whose rows don’t mention S.T.A.R.T', async () => {
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  await server.person({ role: 'Planner', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] });
  const text = [
    'email,role,S.T.A.R.T',
    'boss@example.test,,',
    'quiet@named2.test,Staff,',
    'yes@named2.test,Staff,yes',
    'no@named2.test,Staff,no',
    'planner@named2.test,Planner,',
  ].join('\n');
  for (const dryRun of [true, false]) expect(await sendWhole(text, dryRun, admin)).toMatchObject({ withoutTopFive: 1 });
});

test('an import names the file’s people who can’t sign in, also those of an earlier one', async () => {
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  await server.person({ role: 'admin', email: 'chief@in.test' });
  const link = (hours: number) => `insert into account_links (person_id, kind, token_hash, expires_at, created_at)
    select id, 'invite', '${hours}', '${server.clock.now().add({ hours })}', now() from people where lower(email) = $1`;
  const ways = {
    'new@in.test': null,
    'password@in.test': "update people set password_hash = 'x' where lower(email) = $1",
    'passkey@in.test': `insert into passkeys
      (person_id, credential_id, public_key, counter, name, device_type, backed_up, created_at)
      select id, 'x', 'key', 0, 'Laptop', 'singleDevice', false, now() from people where lower(email) = $1`,
    'company@in.test': `insert into identities (issuer, subject, person_id, connected_at)
      select 'https://id.test/', 'x', id, now() from people where lower(email) = $1`,
    'linked@in.test': link(1),
    'late@in.test': link(-1),
    'gone@in.test': 'update people set disabled_at = now() where lower(email) = $1',
  };
  const lines = Object.keys(ways).map((email) => `${email.toUpperCase()},Staff`);
  const text = ['email,role', ...lines, 'boss@example.test,Nobody', 'chief@in.test,'].join('\n');
  const namesIn = async (...sent: Parameters<typeof sendWhole>) =>
    (await sendWhole(...sent)).uninvited.map(({ email }: { email: string }) => email.toLowerCase());
  const all = Object.keys(ways);
  expect(await namesIn(text, true, admin)).toEqual(['chief@in.test']);
  expect(await namesIn(text, false)).toEqual(all);
  expect(await namesIn(text, false, admin)).toEqual(['chief@in.test', ...all]);
  for (const [email, sql] of Object.entries(ways)) if (sql) await server.database.pool.query(sql, [email]);
  const left = { id: expect.any(String), displayName: 'NEW', email: 'NEW@IN.TEST' };
  for (const dryRun of [true, false])
    expect((await sendWhole(text, dryRun)).uninvited).toMatchObject([left, { email: 'LATE@IN.TEST' }]);
});

test('whoever is disabled while their file is imported imports no further row, and changes nobody else', async () => {
  const id = await server.person({ role: 'Keeper' });
  const token = await server.signIn(id);
  const holder = await server.database.pool.connect();
  const rows = ['e-mail;last name', 'first@late.test;One', 'boss@example.test;Held', 'last@late.test;Three'].join('\n');
  const there = async (email: string) =>
    (await server.database.pool.query('select from people where email = $1', [email])).rowCount;
  let answer: ReturnType<typeof send>;
  try {
    await holder.query('begin');
    await holder.query("select from people where email = 'boss@example.test' for update");
    answer = send(rows, false, token);
    await expect.poll(() => there('first@late.test')).toBe(1);
    await server.database.pool.query('update people set disabled_at = now() where id = $1', [id]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await answer).status).toBe(401);
  expect(await there('last@late.test')).toBe(0);
});

test('a role that the caller can’t give is left out and asked for, as often as a person may ask', async () => {
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  await server.person({ role: 'Trader', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  const { warnings } = await sendWhole(['E-mail;Role', 'later@trade.test;Trader'].join('\n'), true);
  expect(warnings).toMatchObject([{ kind: 'noAccess', people: 1, names: ['later'] }]);
  const lines = Array.from({ length: 51 }, (_, index) => `t${index}@trade.test;Trader`);
  const traders = ['E-mail;Role', ...lines, `own@trade.test;Staff`].join('\n');
  const dry = await send(traders, true);
  const real = await send(traders, false);
  expect(real).toEqual(dry);
  const [first, , last] = [real.rows[0], real.rows[1], real.rows[50]];
  expect([first, last, real.rows[51]]).toMatchObject([
    { outcome: 'created', reason: 'Role Trader not given yet: it needs an admin’s OK', roleAsked: 'Trader' },
    {
      outcome: 'created',
      reason: expect.stringMatching(/^Role Trader not given: You requested 50 roles in the last 24 hours/),
    },
    { outcome: 'created', reason: null, roleAsked: null },
  ]);
  const { rows } = await server.database.pool.query(
    "select role, count(*)::int from people where email like '%trade.test' group by role order by role",
  );
  expect(rows).toEqual([
    { role: 'Staff', count: 1 },
    { role: null, count: 51 },
  ]);
  const { data } = await server.gql(admin, '{ notices { kind } }');
  expect(data.notices.filter(({ kind }: { kind: string }) => kind === 'roleAsked').length).toBeGreaterThan(20);
  const again = await send(['E-mail;Role', lines[0]].join('\n'), false);
  expect(again.rows).toMatchObject([
    { outcome: 'unchanged', reason: expect.stringMatching(/ already requested this role$/), roleAsked: null },
  ]);
});

test('a preview and an import warn of approvers who can’t approve, missing access and approvers, and disabled accounts', async () => {
  const decider = await server.person({ role: 'Decider', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  await server.database.pool.query("update people set email = 'decider@example.test' where id = $1", [decider]);
  const gone = await server.person({ email: 'gone@warn.test', firstName: 'Go', lastName: 'Ne', role: 'Decider' });
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [gone]);
  const admin = await server.signIn(await server.person({ role: 'admin' }));
  const text = [
    'email,first name,role,approvers,top5',
    'gone@warn.test,Go,,,',
    'low@warn.test,Lo,Decider,boss@example.test,yes',
    'later@warn.test,La,Decider,low@warn.test,yes',
    'fine@warn.test,Fi,Decider,decider@example.test,yes',
    'none@warn.test,No,,decider@example.test,no',
    'free@warn.test,Fr,Decider,,yes',
  ].join('\n');
  const warnings = [
    { kind: 'cannotApprove', people: 1, names: ['boss@example.test'] },
    { kind: 'noAccess', people: 1, names: ['No'] },
    { kind: 'withoutApprover', people: 1, names: ['Fr'] },
    { kind: 'disabled', people: 1, names: ['Go Ne'] },
  ];
  for (const dryRun of [true, false]) {
    const answer = await sendWhole(text, dryRun, admin);
    expect(answer.warnings).toMatchObject(warnings.map(({ names: _names, ...warning }) => warning));
    expect(answer.warnings.slice(1).map(({ names }: { names: string[] }) => names)).toEqual(
      warnings.slice(1).map(({ names }) => names),
    );
    expect(answer.rows[0]).toMatchObject({
      outcome: 'unchanged',
      reason: 'This account is disabled and stays disabled',
    });
  }
  // The second time, only what the file itself changes is told.
  expect((await sendWhole(text, false, admin)).warnings).toEqual([warnings[3]]);
});
