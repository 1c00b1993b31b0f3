// Absences with a delegate (D40): who can set them, what a delegate decides and sees, and when it ends.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDigests } from '#server/notifications/reminders.service.ts';
import { companyDay, readViewerOfPerson } from '#server/platform/viewer.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { approving, prepareTask, type Someone, someone, staff } from '../../../test/task-fixtures.ts';
import { removeEndedAbsences } from './absences.service.ts';

let server: TestApp;
let sprintId: string;
let people: Record<'admin' | 'alex' | 'dana' | 'kim' | 'nina' | 'stranger' | 'manager', Someone>;

const today = '2026-11-18';
const now = `${today}T12:00:00Z`;
const watching = [...approving, 'VIEW_TOP_5_STATS'] as const;

beforeAll(async () => {
  server = await startTestApp();
  sprintId = await server.sprint();
  const admin = await someone(server, { role: 'admin' });
  const alex = await someone(server, {
    firstName: 'Alex',
    lastName: 'Ray',
    permissions: watching,
    approvers: [admin.id],
  });
  people = {
    ...{ admin, alex },
    dana: await someone(server, { firstName: 'Dana', lastName: 'Kim', permissions: watching, approvers: [alex.id] }),
    kim: await someone(server, { firstName: 'Kim', lastName: 'Low', permissions: approving, approvers: [admin.id] }),
    nina: await someone(server, { firstName: 'Nina', lastName: 'Owe', permissions: staff, approvers: [alex.id] }),
    stranger: await someone(server, { permissions: staff, approvers: [admin.id] }),
    manager: await someone(server, { permissions: [...approving, 'USER_MANAGEMENT'], approvers: [admin.id] }),
  };
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.clock.set(now);
  await server.database.pool.query('delete from absences');
});

const saveCall = `mutation ($userId: ID, $id: ID, $firstDay: String!, $lastDay: String!, $delegateId: ID, $note: String, $version: Int) {
  saveAbsence(userId: $userId, id: $id, firstDay: $firstDay, lastDay: $lastDay, delegateId: $delegateId, note: $note, version: $version) {
    id userId firstDay lastDay note version delegate { id displayName } } }`;
const save = (by: Someone, more: object = {}) =>
  server.gql(by.token, saveCall, { firstDay: today, lastDay: '2026-11-20', ...more });
const withDana = () => save(people.alex, { delegateId: people.dana.id });
const end = (by: Someone, id: string) => server.gql(by.token, 'mutation ($id: ID!) { endAbsence(id: $id) }', { id });
const waiting = (ownerId = people.nina.id) => prepareTask(server.database, { ownerId, sprintId, status: 'INAPPROVAL' });
const decide = async (by: Someone, taskId: string) => {
  const call = 'mutation ($d: [TaskDecision!]!) { decideTasks(decisions: $d) { ok code } }';
  const answer = await server.gql(by.token, call, { d: [{ taskId, decision: 'approve' }] });
  return answer.code ?? answer.data.decideTasks[0].code ?? 'made';
};
const sees = async (by: Someone, taskId: string) =>
  (await server.gql(by.token, 'query ($id: ID!) { tasks(taskId: $id) { id } }', { id: taskId })).data.tasks.length ===
  1;

test('nobody sets or sees another’s absence, becomes their delegate, or hands over what they can’t do', async () => {
  const { alex, dana, kim, nina, manager, stranger } = people;
  const { data } = await withDana();
  const { id } = data.saveAbsence;
  for (const by of [dana, kim, manager, stranger]) {
    expect(
      (await save(by, { userId: alex.id, firstDay: '2026-12-01', lastDay: '2026-12-02', delegateId: by.id })).code,
    ).toBe('NOT_FOUND');
    expect((await save(by, { id, delegateId: kim.id })).code).toBe('NOT_FOUND');
    expect((await end(by, id)).code).toBe('NOT_FOUND');
    expect(
      (await server.gql(by.token, 'query ($id: ID!) { absences(userId: $id) { id } }', { id: alex.id })).code,
    ).toBe('NOT_FOUND');
    expect(
      (await server.gql(by.token, 'query ($id: ID!) { delegateChoices(userId: $id) { id } }', { id: alex.id })).code,
    ).toBe('NOT_FOUND');
  }
  // Without the permission there is nothing to hand over, and nobody without it can receive it.
  expect((await save(nina, { delegateId: kim.id })).errors?.[0]?.extensions).toMatchObject({
    code: 'FORBIDDEN',
    field: 'delegateId',
  });
  expect((await save(kim, { delegateId: nina.id })).errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_INPUT',
    field: 'delegateId',
  });
  expect((await server.gql(nina.token, '{ delegateChoices { id } }')).data.delegateChoices).toEqual([]);
  const { rows } = await server.database.pool.query(
    'select person_id::text as who, delegate_id::text as delegate from absences',
  );
  expect(rows).toEqual([{ who: alex.id, delegate: dana.id }]);
});

test('while it runs the delegate decides and sees like the approver, and the approver still does', async () => {
  const { alex, dana, kim, nina } = people;
  const [before, first, second] = [await waiting(), await waiting(), await waiting()];
  expect([await sees(dana, before), await decide(dana, before)]).toEqual([false, 'NOT_FOUND']);
  await withDana();
  expect([await sees(dana, first), await sees(kim, first)]).toEqual([true, false]);
  expect(await decide(dana, first)).toBe('made');
  expect(await decide(alex, second)).toBe('made');
  expect(await decide(kim, before)).toBe('NOT_FOUND');
  const query = `{ inbox { id decidedFor { displayName until } } inboxCount { toApprove } people { id }
    sprintStats { employees { person { id } } } }`;
  const { data } = await server.gql(dana.token, query);
  expect(data.inbox.find(({ id }: { id: string }) => id === before)).toEqual({
    id: before,
    decidedFor: { displayName: 'Alex Ray', until: '2026-11-20' },
  });
  expect(data.inboxCount.toApprove).toBe(data.inbox.length);
  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
  expect(idsOf(data.people)).toEqual([nina.id]);
  expect(idsOf(data.sprintStats.employees.map(({ person }: { person: { id: string } }) => person))).toContain(nina.id);
  const own = (await server.gql(alex.token, '{ inbox { decidedFor { until } } }')).data.inbox;
  expect(own.every(({ decidedFor }: { decidedFor: unknown }) => decidedFor === null)).toBe(true);
});

test('a delegate never decides their own tasks, and passes nothing on', async () => {
  const { dana, kim } = people;
  await withDana();
  const own = await waiting(dana.id);
  expect(await decide(dana, own)).toBe('FORBIDDEN');
  // Kim decides for Dana, who is away too: Alex's people are not Kim's.
  await save(dana, { delegateId: kim.id });
  const task = await waiting();
  expect([await decide(kim, task), await decide(dana, task)]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  const { data } = await server.gql(
    people.nina.token,
    '{ myApprovers { approvers { displayName away { until delegate problem } } } }',
  );
  expect(data.myApprovers.approvers).toEqual([
    { displayName: 'Alex Ray', away: { until: '2026-11-20', delegate: null, problem: 'away' } },
  ]);
  expect(await decide(people.admin, task)).toBe('made');
});

test('people are told two weeks before that an approver will be away', async () => {
  const { alex, nina } = people;
  const awayFrom = async () =>
    (await server.gql(nina.token, '{ myApprovers { approvers { awayFrom } } }')).data.myApprovers.approvers;
  await save(alex, { firstDay: '2026-12-04', lastDay: '2026-12-20' });
  expect(await awayFrom()).toEqual([{ awayFrom: null }]);
  await save(alex, { firstDay: '2026-12-02', lastDay: '2026-12-03' });
  expect(await awayFrom()).toEqual([{ awayFrom: '2026-12-02' }]);
});

test('it begins and ends by the company’s days, ends early at once, and ends with the delegate’s or approver’s rights', async () => {
  const { alex, dana, admin } = people;
  const task = await waiting();
  await save(alex, { delegateId: dana.id, firstDay: '2026-11-19' });
  const at = async (instant: string) => {
    server.clock.set(instant);
    return sees(dana, task);
  };
  // Tokens last an hour, so each instant needs a new one.
  const renewed = async (instant: string) => {
    server.clock.set(instant);
    const viewer = await readViewerOfPerson(server.parts, dana.id);
    return viewer?.delegateOf?.includes(alex.id);
  };
  expect(await at('2026-11-18T12:59:59Z')).toBe(false);
  expect(await renewed('2026-11-18T23:59:59Z')).toBe(false);
  expect(await renewed('2026-11-19T00:00:00Z')).toBe(true);
  expect(await renewed('2026-11-20T23:59:59Z')).toBe(true);
  expect(await renewed('2026-11-21T00:00:00Z')).toBe(false);
  server.clock.set(now);
  const saved = await server.gql(alex.token, '{ absences { id } }');
  await save(alex, { id: saved.data.absences[0].id, delegateId: dana.id });
  expect(await sees(dana, task)).toBe(true);
  const roleOf = async (id: string) =>
    (await server.database.pool.query('select role from people where id = $1', [id])).rows[0].role;
  for (const who of [alex, dana]) {
    const had = await roleOf(who.id);
    await server.database.pool.query('update people set role = null where id = $1', [who.id]);
    expect(
      (await server.gql(dana.token, 'query ($id: ID!) { tasks(taskId: $id) { id } }', { id: task })).data?.tasks ?? [],
    ).toEqual([]);
    await server.database.pool.query('update people set role = $2 where id = $1', [who.id, had]);
    expect(await sees(dana, task)).toBe(true);
  }
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [alex.id]);
  expect(await sees(dana, task)).toBe(false);
  await server.database.pool.query('update people set disabled_at = null where id = $1', [alex.id]);
  expect((await end(admin, saved.data.absences[0].id)).code).toBeNull();
  expect([await sees(dana, task), await decide(dana, task)]).toEqual([false, 'NOT_FOUND']);
});

test('the history and the owner’s notification name both, and the audit log the absent approver', async () => {
  const { alex, dana, nina } = people;
  await withDana();
  const task = await waiting();
  expect(await decide(dana, task)).toBe('made');
  const query = 'query ($id: ID!) { tasks(taskId: $id) { history { event actorName forName } } notices { sentence } }';
  const { data } = await server.gql(nina.token, query, { id: task });
  expect(data.tasks[0].history.at(-1)).toEqual({ event: 'approved', actorName: 'Dana Kim', forName: 'Alex Ray' });
  expect(data.notices[0].sentence).toBe('Dana Kim for Alex Ray approved “A task”');
  const { rows } = await server.database.pool.query(
    "select after from audit_log where action = 'taskApproved' and subject_id = $1",
    [task],
  );
  expect(rows).toEqual([{ after: expect.objectContaining({ forId: alex.id }) }]);
  const other = await waiting();
  expect(await decide(alex, other)).toBe('made');
  const alone = await server.gql(nina.token, query, { id: other });
  expect(alone.data.tasks[0].history.at(-1)).toEqual({ event: 'approved', actorName: 'Alex Ray', forName: null });
});

test('the delegate is told when they are chosen, again when the days change, and gets the digest', async () => {
  const { dana } = people;
  await server.database.pool.query('delete from notices');
  const sentences = async (by: Someone) =>
    (await server.gql(by.token, '{ notices { sentence } }')).data.notices.map(
      ({ sentence }: { sentence: string }) => sentence,
    );
  const { data } = await withDana();
  const { id } = data.saveAbsence;
  expect(await sentences(dana)).toEqual(['You’re Alex Ray’s delegate from Wed 18 Nov to Fri 20 Nov']);
  // Sent twice, it is saved and told once.
  expect((await withDana()).data.saveAbsence.id).toBe(id);
  await save(people.alex, { id, delegateId: dana.id, lastDay: today });
  expect(await sentences(dana)).toEqual(['You’re Alex Ray’s delegate on Wed 18 Nov']);
  await server.database.pool.query("update tasks set status = 'DONE' where owner_id <> $1", [people.nina.id]);
  await waiting();
  await sendDigests(server.parts);
  expect((await sentences(dana))[0]).toMatch(/waiting for your decision$/);
  await end(people.alex, id);
  expect(await sentences(dana)).toEqual(['You’re no longer Alex Ray’s delegate (Wed 18 Nov)']);
});

test('a previous delegate is told, and a new note alone leaves the notification read', async () => {
  const { alex, dana, kim } = people;
  await server.database.pool.query('delete from notices');
  const notices = async (by: Someone) =>
    (await server.gql(by.token, '{ notices { sentence detail read } }')).data.notices;
  const { id } = (await withDana()).data.saveAbsence;
  await server.database.pool.query('update notices set read_at = now()');
  await save(alex, { id, delegateId: dana.id, note: 'Vacation' });
  expect(await notices(dana)).toEqual([
    {
      sentence: 'You’re Alex Ray’s delegate from Wed 18 Nov to Fri 20 Nov',
      detail: 'Vacation\nYou can see and decide on tasks from the people they approve.',
      read: true,
    },
  ]);
  await save(alex, { id, delegateId: kim.id });
  const gone = 'You’re no longer Alex Ray’s delegate (Wed 18 Nov to Fri 20 Nov)';
  expect(await notices(dana)).toEqual([{ sentence: gone, detail: null, read: false }]);
  expect((await notices(kim)).length).toBe(1);
  // Chosen again, only the newest notification is true.
  await save(alex, { id, delegateId: dana.id });
  expect((await notices(dana)).map(({ sentence }: { sentence: string }) => sentence)).toEqual([
    'You’re Alex Ray’s delegate from Wed 18 Nov to Fri 20 Nov',
  ]);
  expect((await notices(kim))[0].sentence).toBe(gone);
});

test('an absent person is told what someone else set for them, once, and nothing of their own', async () => {
  const { alex, admin, dana } = people;
  const told = async () =>
    (await server.gql(alex.token, '{ notices { kind sentence detail } }')).data.notices
      .filter(({ kind }: { kind: string }) => kind === 'absence')
      .map(({ sentence, detail }: { sentence: string; detail: string | null }) => [
        sentence.replace(/^.* (entered|ended)/, '$1'),
        detail,
      ]);
  const { id } = (await save(admin, { userId: alex.id, delegateId: dana.id })).data.saveAbsence;
  const days = 'Wed 18 Nov to Fri 20 Nov';
  expect(await told()).toEqual([[`entered time away for you: ${days}`, 'Dana Kim is your delegate.']]);
  await save(alex, { id, note: 'Mine' });
  expect(await told()).toHaveLength(1);
  await end(admin, id);
  expect(await told()).toEqual([[`ended your time away: ${days}`, null]]);
});

const gapNotices = async (by: Someone) =>
  (await server.gql(by.token, '{ notices { kind sentence detail read } }')).data.notices
    .filter(({ kind, sentence }: { kind: string; sentence: string }) => kind === 'absence' && /delegate/.test(sentence))
    .map(({ sentence, detail, read }: { sentence: string; detail: string; read: boolean }) => [sentence, detail, read]);
const isAwayToo = (days: string) => [
  `Your delegate Dana Kim is away too (${days}), so tasks will wait for you, another approver or an admin`,
  'You’re away from Wed 18 Nov to Fri 20 Nov. Choose another delegate in My account.',
  false,
];

test('an absent approver is told once when the delegate will be away too, and sees it until it is solved', async () => {
  const { alex, dana, kim } = people;
  await server.database.pool.query('delete from notices');
  const gap = async () =>
    (await server.gql(alex.token, '{ absences { delegateGap { problem away { firstDay lastDay } } } }')).data
      .absences[0].delegateGap;
  const { id } = (await withDana()).data.saveAbsence;
  expect([await gap(), await gapNotices(alex)]).toEqual([null, []]);
  const planned = (await save(dana, { firstDay: '2026-11-20', lastDay: '2026-11-24' })).data.saveAbsence.id;
  expect(await gap()).toEqual({ problem: 'away', away: [{ firstDay: '2026-11-20', lastDay: '2026-11-20' }] });
  expect(await gapNotices(alex)).toEqual([isAwayToo('20 Nov')]);
  await server.database.pool.query('update notices set read_at = now()');
  // Other words, other days outside the absence: the same problem.
  await save(dana, { id: planned, firstDay: '2026-11-20', lastDay: '2026-11-25', note: 'Skiing' });
  expect(await gapNotices(alex)).toEqual([[...isAwayToo('20 Nov').slice(0, 2), true]]);
  await save(dana, { id: planned, firstDay: '2026-11-19', lastDay: '2026-11-25' });
  expect(await gapNotices(alex)).toEqual([isAwayToo('19–20 Nov')]);
  await end(dana, planned);
  expect([await gap(), await gapNotices(alex)]).toEqual([null, []]);
  await save(dana, { firstDay: '2026-11-20', lastDay: '2026-11-24' });
  expect(await gapNotices(alex)).toEqual([isAwayToo('20 Nov')]);
  await save(alex, { id, delegateId: kim.id });
  expect(await gapNotices(alex)).toEqual([]);
  // Nobody is told of their own choice.
  await save(alex, { id, delegateId: dana.id });
  expect([(await gap()).problem, await gapNotices(alex)]).toEqual(['away', []]);
});

test('who plans time away as a delegate is told whose days these are', async () => {
  const { alex, dana } = people;
  await withDana();
  const query = `query { absencePreview(firstDay: "2026-11-20", lastDay: "2026-11-24") {
    effect { people delegateFor { name firstDay lastDay } } } }`;
  const delegateFor = async () => (await server.gql(dana.token, query)).data.absencePreview.effect.delegateFor;
  expect(await delegateFor()).toEqual([{ name: 'Alex Ray', firstDay: '2026-11-20', lastDay: '2026-11-20' }]);
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [alex.id]);
  expect(await delegateFor()).toEqual([]);
  await server.database.pool.query('update people set disabled_at = null where id = $1', [alex.id]);
});

test('a new note alone tells neither the absent person nor open pages, and many people end no other socket', async () => {
  const { alex, admin, dana } = people;
  const [heard, gaps]: [string[][], string[]] = [[], []];
  const stops = [
    server.parts.live.on('approversChanged', ({ personIds }) => heard.push([...personIds])),
    server.parts.live.onGap(() => gaps.push('gap')),
  ];
  const { id } = (await withDana()).data.saveAbsence;
  await server.database.pool.query('delete from notices');
  await expect.poll(() => heard.length).toBe(1);
  heard.length = 0;
  await save(admin, { userId: alex.id, id, note: 'Vacation' });
  const { rows } = await server.database.pool.query('select person_id::text from notices where mail_at is not null');
  expect(rows.filter(({ person_id }) => person_id === alex.id)).toEqual([]);
  await server.database.pool.query(
    `with new as (insert into people (email, first_name, last_name) select 'many' || n || '@example.com', 'Many', n::text
       from generate_series(1, 1200) n returning id)
     insert into approvers (person_id, approver_id) select id, $1 from new`,
    [alex.id],
  );
  // Days that haven't come change nobody's page but those of the two.
  const later = (await save(alex, { firstDay: '2026-12-01', lastDay: '2026-12-02', delegateId: dana.id })).data;
  await end(alex, later.saveAbsence.id);
  const only = [alex.id, dana.id].sort();
  await end(alex, id);
  await expect.poll(() => heard.flat().length).toBeGreaterThan(1_200);
  for (const message of heard.slice(0, 2)) expect(message.toSorted()).toEqual(only);
  expect(gaps).toEqual([]);
  for (const stop of stops) stop();
  await server.asOwner("delete from approvers where person_id in (select id from people where first_name = 'Many')");
  await server.asOwner("delete from people where first_name = 'Many'");
});

test('a new absence never replaces another that begins on the same day', async () => {
  const { alex } = people;
  await withDana();
  const other = await save(alex, { lastDay: '2026-11-25', note: 'Vacation' });
  expect(other.errors?.[0]).toMatchObject({
    message: 'This overlaps time away on 18–20 Nov. Edit that instead',
    extensions: { code: 'BAD_INPUT', field: 'firstDay' },
  });
  const { data } = await server.gql(alex.token, '{ absences { lastDay note delegate { displayName } } }');
  expect(data.absences).toEqual([{ lastDay: '2026-11-20', note: '', delegate: { displayName: 'Dana Kim' } }]);
});

test('a note on a task reaches the delegate of an absent approver too, until the absence ends', async () => {
  const { alex, dana, nina, kim } = people;
  await server.database.pool.query('delete from notices');
  const task = await waiting();
  const add = (by: Someone, note: string) =>
    server.gql(by.token, 'mutation ($t: ID!, $n: String!) { addNoteToTask(taskId: $t, text: $n) { id } }', {
      ...{ t: task, n: note },
    });
  const noted = async (by: Someone) =>
    (await server.gql(by.token, '{ notices { kind detail } }')).data.notices
      .filter(({ kind }: { kind: string }) => kind === 'noted')
      .map(({ detail }: { detail: string }) => detail);
  const { data } = await withDana();
  expect((await add(nina, 'While away')).code).toBe(null);
  expect([await noted(dana), await noted(alex), await noted(kim)]).toEqual([['While away'], ['While away'], []]);
  // The delegate's own note reaches the others only.
  await add(dana, 'From the delegate');
  expect([await noted(dana), await noted(nina)]).toEqual([['While away'], ['From the delegate']]);
  const choice = 'query ($t: ID!, $n: String!) { mentionable(taskId: $t, name: $n) { id seesTask } }';
  const seen = async () => (await server.gql(nina.token, choice, { t: task, n: 'Dana' })).data.mentionable;
  expect(await seen()).toEqual([{ id: dana.id, seesTask: true }]);
  await end(alex, data.saveAbsence.id);
  expect(await seen()).toEqual([{ id: dana.id, seesTask: false }]);
  await add(nina, 'Back');
  expect([await noted(dana), await noted(alex)]).toEqual([[], ['Back']]);
});

test('the preview says who gets what, and why saving would be refused', async () => {
  const { alex, dana, kim } = people;
  await server.database.pool.query("update tasks set status = 'DONE'");
  await waiting();
  await waiting(dana.id);
  await save(dana, { firstDay: '2026-11-20', lastDay: '2026-11-24' });
  const query = `query ($id: ID, $firstDay: String!, $lastDay: String!, $delegateId: ID) { absencePreview(id: $id, firstDay: $firstDay, lastDay: $lastDay, delegateId: $delegateId) {
    refusal field effect { name people waiting delegate approvesDelegate delegateAway { firstDay lastDay } } } }`;
  const preview = async (more: object) =>
    (await server.gql(alex.token, query, { firstDay: today, lastDay: '2026-11-20', ...more })).data.absencePreview;
  expect(await preview({ delegateId: dana.id })).toEqual({
    ...{ refusal: null, field: null },
    effect: {
      ...{ name: null, people: 1, waiting: 1, delegate: 'Dana Kim', approvesDelegate: true },
      delegateAway: [{ firstDay: '2026-11-20', lastDay: '2026-11-20' }],
    },
  });
  expect((await preview({ delegateId: kim.id })).effect).toMatchObject({ people: 2, waiting: 2, delegateAway: [] });
  expect(await preview({ lastDay: '2026-11-17' })).toMatchObject({ field: 'lastDay', effect: null });
  const { rows } = await server.database.pool.query('select count(*)::int as count from absences');
  expect(rows).toEqual([{ count: 1 }]);
  // Left out, the delegate stays.
  const { id } = (await save(alex, { delegateId: dana.id })).data.saveAbsence;
  expect((await preview({ id })).effect).toMatchObject({ delegate: 'Dana Kim', approvesDelegate: true });
  expect((await preview({ id, delegateId: '' })).effect).toMatchObject({ delegate: null });
});

test('a delegate sees no stats of people whose absent approver couldn’t see them', async () => {
  const { kim, dana } = people;
  const olaf = await someone(server, { permissions: staff, approvers: [kim.id] });
  const task = await waiting(olaf.id);
  await save(kim, { delegateId: dana.id });
  expect(await sees(dana, task)).toBe(true);
  const { data } = await server.gql(dana.token, '{ sprintStats { employees { person { id } } } }');
  expect(data.sprintStats.employees.map(({ person }: { person: { id: string } }) => person.id)).not.toContain(olaf.id);
});

test('an absence that ended long ago is deleted', async () => {
  await server.database.pool.query(
    `insert into absences (person_id, first_day, last_day) values
       ($1, '2026-08-01', '2026-08-19'), ($1, '2026-08-20', '2026-08-20'), ($1, '2026-12-01', '2026-12-02')`,
    [people.nina.id],
  );
  await removeEndedAbsences(server.parts);
  const { rows } = await server.database.pool.query('select first_day::text as day from absences order by first_day');
  expect(rows).toEqual([{ day: '2026-08-20' }, { day: '2026-12-01' }]);
});

test('a delegate, and being away oneself where one may decide, takes a recent proof, else being away doesn’t', async () => {
  const token = await server.signIn(people.kim.id);
  const { id } = (await save({ ...people.kim, token }, { delegateId: people.dana.id })).data.saveAbsence;
  const nina = { ...people.nina, token: await server.signIn(people.nina.id) };
  server.clock.advance({ minutes: 11 });
  const stale = { ...people.kim, token };
  const later = { firstDay: '2026-12-01', lastDay: '2026-12-02' };
  for (const change of [
    later,
    { ...later, delegateId: people.dana.id },
    { id, delegateId: people.alex.id },
    { id, delegateId: '' },
    { id, lastDay: '2027-11-17' },
  ])
    expect((await save(stale, change)).code).toBe('CONFIRM_IDENTITY');
  expect((await end(stale, id)).code).toBe('CONFIRM_IDENTITY');
  // A delegate that is left out stays.
  expect((await save(stale, { id, note: 'Vacation' })).data.saveAbsence.delegate).toMatchObject({ id: people.dana.id });
  const { id: alone } = (await save(nina, later)).data.saveAbsence;
  expect((await end(nina, alone)).code).toBeNull();
});

test('more than 30 days away in all take a recent proof, however they are planned, and fewer don’t', async () => {
  const { nina, admin } = people;
  // After what earlier tests did.
  server.clock.advance({ hours: 1 });
  const stale = { ...nina, token: await server.signIn(nina.id) };
  const away = async (firstDay: string, lastDay: string, more: object = {}, by: Someone = stale) =>
    save(by, { firstDay, lastDay, ...more });
  server.clock.advance({ minutes: 11 });
  expect((await away('2026-12-01', '2026-12-31')).code).toBe('CONFIRM_IDENTITY');
  const { id } = (await away('2026-12-01', '2026-12-20')).data.saveAbsence;
  expect((await away('2027-02-01', '2027-02-10')).code).toBeNull();
  expect((await away('2027-03-01', '2027-03-01')).code).toBe('CONFIRM_IDENTITY');
  expect((await away('2026-12-01', '2026-12-21', { id })).code).toBe('CONFIRM_IDENTITY');
  const fresh = { ...nina, token: await server.signIn(nina.id) };
  expect((await away('2027-03-01', '2027-03-09', {}, fresh)).code).toBeNull();
  // Moving, shortening and a new note plan no more days.
  expect((await away('2026-12-02', '2026-12-21', { id })).code).toBeNull();
  expect((await away('2026-12-02', '2026-12-20', { id, note: 'Vacation' })).code).toBeNull();
  const staleAdmin = { ...admin, token: await server.signIn(admin.id) };
  server.clock.advance({ minutes: 11 });
  expect((await away('2027-04-01', '2027-04-01', { userId: nina.id }, staleAdmin)).code).toBe('CONFIRM_IDENTITY');
});

test('a session that proved nothing lately plans half of the times away, and deletes a few', async () => {
  const { nina } = people;
  // After what earlier tests did.
  server.clock.advance({ hours: 1 });
  const stale = { ...nina, token: await server.signIn(nina.id) };
  server.clock.advance({ minutes: 11 });
  const fresh = { ...nina, token: await server.signIn(nina.id) };
  const day = (at: number) => String(Temporal.PlainDate.from('2026-12-01').add({ days: at }));
  const plan = (at: number, by: Someone) => save(by, { firstDay: day(at), lastDay: day(at) });
  const ids: string[] = [];
  for (let at = 0; at < 10; at++) ids.push((await plan(at, stale)).data.saveAbsence.id);
  expect((await plan(10, stale)).code).toBe('CONFIRM_IDENTITY');
  expect((await plan(10, fresh)).code).toBeNull();
  for (let at = 0; at < 5; at++) expect((await end(stale, ids[at]!)).code).toBeNull();
  expect((await end(stale, ids[5]!)).code).toBe('CONFIRM_IDENTITY');
  expect((await end(fresh, ids[5]!)).code).toBeNull();
});

test('of two who edit the same absence the second is refused, and so is who ends what someone else changed', async () => {
  const { alex, admin, dana, kim } = people;
  const { id, version } = (await withDana()).data.saveAbsence;
  const byAdmin = (await save(admin, { userId: alex.id, id, version, delegateId: kim.id })).data.saveAbsence;
  expect(byAdmin).toMatchObject({ version: version + 1, delegate: { id: kim.id } });
  expect((await save(alex, { id, version, note: 'Vacation', delegateId: dana.id })).code).toBe('CONFLICT');
  const endCall = 'mutation ($id: ID!, $version: Int) { endAbsence(id: $id, version: $version) }';
  expect((await server.gql(alex.token, endCall, { id, version })).code).toBe('CONFLICT');
  const { data } = await server.gql(alex.token, '{ absences { version note delegate { id } } }');
  expect(data.absences).toEqual([{ version: version + 1, note: '', delegate: { id: kim.id } }]);
});

test('in a company of many absences the database finds the same delegates as the rules', async () => {
  const { rows } = await server.database.pool.query<{ id: string }>('select id::text from people order by id');
  const all = rows.map(({ id }) => id);
  const pick = (index: number) => all[index % all.length] as string;
  let found = 0;
  for (let round = 0; round < 12; round++) {
    await server.database.pool.query('delete from absences');
    for (const [index, id] of all.entries()) {
      const delegate = pick(index * round + 1);
      if ((index + round) % 3 === 0 || delegate === id) continue;
      // Every fourth one is over.
      const days = index % 4 === 0 ? ['2026-11-16', '2026-11-17'] : ['2026-11-17', '2026-11-19'];
      await server.database.pool.query(
        'insert into absences (person_id, first_day, last_day, delegate_id) values ($1, $2, $3, $4)',
        [id, ...days, delegate],
      );
    }
    const away = (
      await server.database.pool.query<{ who: string; delegate: string }>(
        'select person_id::text as who, delegate_id::text as delegate from absences where $1::date between first_day and last_day',
        [companyDay(server.parts)],
      )
    ).rows;
    const mayDecide = new Set([people.admin, people.alex, people.dana, people.kim, people.manager].map(({ id }) => id));
    for (const id of all) {
      const expected = away
        .filter(({ who, delegate }) => delegate === id && mayDecide.has(who) && mayDecide.has(id))
        .map(({ who }) => who);
      const isAway = away.some(({ who }) => who === id);
      const viewer = await readViewerOfPerson(server.parts, id);
      expect([...(viewer?.delegateOf ?? [])].sort()).toEqual(isAway ? [] : expected.sort());
      found += viewer?.delegateOf?.length ?? 0;
    }
  }
  expect(found).toBeGreaterThan(3);
});

test('an absent approver is told when the delegate’s account is disabled or loses the permission, by any way', async () => {
  const { alex, admin } = people;
  const role = { role: 'Stand-in', permissions: approving } as const;
  const cannot = async (name: string) => {
    const sentence = `Your delegate ${name} can’t approve tasks, so tasks will wait for you, another approver or an admin`;
    expect((await gapNotices(alex)).map(([said]: [string]) => said)).toEqual([sentence]);
    const { data } = await server.gql(alex.token, '{ absences { delegateGap { problem } } }');
    expect(data.absences[0].delegateGap).toEqual({ problem: 'cannotDecide' });
  };
  const eve = await someone(server, { firstName: 'Eve', lastName: 'Orr', ...role, approvers: [admin.id] });
  const disable = (disabled: boolean) =>
    server.gql(admin.token, 'mutation ($id: ID!, $d: Boolean!) { setUserDisabled(userId: $id, disabled: $d) { id } }', {
      ...{ id: eve.id, d: disabled },
    });
  const setRole = async (role: string) => {
    const detail = 'query ($id: ID!) { managedUser(userId: $id) { version } }';
    const { version } = (await server.gql(admin.token, detail, { id: eve.id })).data.managedUser;
    const call =
      'mutation ($id: ID!, $v: String!, $r: String!) { updateUser(userId: $id, version: $v, role: $r) { id } }';
    const values = { id: eve.id, v: version, r: role };
    expect((await server.gql(admin.token, call, values)).errors).toBeUndefined();
  };
  const setPermissions = async (permissions: readonly string[]) => {
    const { data } = await server.gql(admin.token, '{ roles { id name version } }');
    const { id, version } = data.roles.find(({ name }: { name: string }) => name === 'Stand-in');
    const edits = [{ id, version, permissions }];
    const difference = 'query ($edits: [RoleEdit!]!) { roleDifference(edits: $edits) { seen } }';
    const { seen } = (await server.gql(admin.token, difference, { edits })).data.roleDifference;
    const call = 'mutation ($edits: [RoleEdit!]!, $seen: String!) { saveRoles(edits: $edits, seen: $seen) { id } }';
    expect((await server.gql(admin.token, call, { edits, seen })).errors).toBeUndefined();
  };
  await server.database.pool.query('delete from notices');
  await save(alex, { delegateId: eve.id });
  expect(await gapNotices(alex)).toEqual([]);
  await disable(true);
  await cannot('Eve Orr');
  await disable(false);
  expect(await gapNotices(alex)).toEqual([]);
  await setRole('');
  await cannot('Eve Orr');
  await setRole('Stand-in');
  expect(await gapNotices(alex)).toEqual([]);
  await setPermissions(['VIEW_DASHBOARD']);
  await cannot('Eve Orr');
  await setPermissions(approving);
  expect(await gapNotices(alex)).toEqual([]);
});

test('of possible delegates, only those with the same name show their addresses', async () => {
  const { alex, dana, admin } = people;
  const [one, other] = [
    await someone(server, { firstName: 'Same', lastName: 'Name', permissions: approving, approvers: [admin.id] }),
    await someone(server, { firstName: 'Same', lastName: 'Name', permissions: approving, approvers: [admin.id] }),
  ];
  const found = (name: string) =>
    server.gql(alex.token, 'query ($name: String) { delegateChoices(name: $name) { id } }', { name });
  // Nor is an address told by searching for its parts.
  expect((await found('@')).data.delegateChoices).toEqual([]);
  const call = '{ delegateChoices { id email } }';
  const choices = (await server.gql(alex.token, call)).data.delegateChoices;
  const emailOf = (id: string) => choices.find((choice: { id: string }) => choice.id === id).email;
  expect(emailOf(dana.id)).toBeNull();
  expect([emailOf(one.id), emailOf(other.id)]).toEqual([expect.stringContaining('@'), expect.stringContaining('@')]);
});
