// Changes that anyone can repeat without end write the audit log only so often (T47).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSetting } from '#server/admin/settings/settings.service.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { prepareTask, prepareTasks, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';

const now = '2026-11-16T12:00:00Z';
let app: TestApp;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp({ now });
  sprintId = await app.sprint('2026-11-10T12:00:00Z');
  const context = { ...app.parts, viewer: null, requestId: 'test', address: '' };
  await changeSetting(context as never, 'timeTracker', true as never);
});
afterAll(() => app.stop());

/** As if the person had made this change so many times. */
const earlier = (who: Someone, action: string, times: number) =>
  app.database.pool.query(
    `insert into audit_log (at, actor_id, action, subject_type, subject_id)
     select $1, $2::bigint, $3, 'person', $2::text from generate_series(1, $4)`,
    [app.clock.now().toString(), who.id, action, times],
  );
const passkeyOf = async (who: Someone): Promise<string> => {
  const { rows } = await app.database.pool.query(
    `insert into passkeys (person_id, credential_id, public_key, counter, transports, name, device_type, backed_up, created_at)
     values ($1, 'x', 'x', 0, '{}', 'Phone', 'singleDevice', false, now()) returning id::text`,
    [who.id],
  );
  return rows[0].id;
};
const countOf = async (who: Someone, action: string): Promise<number> =>
  (await app.database.pool.query('select 1 from audit_log where actor_id = $1 and action = $2', [who.id, action]))
    .rowCount!;
const away = (note: string) => `saveAbsence(firstDay: "2026-12-01", lastDay: "2026-12-02", note: "${note}") { id }`;

test('own changes are refused after 100 in an hour, of each kind and person', async () => {
  await expect.poll(() => app.parts.settings().timeTracker).toBe(true);
  const permissions = [...staff, 'VIEW_TOP_5_TIME_TRACKER', 'VIEW_TOP_5_MEETING_SCHEDULE'] as const;
  const [who, other] = [await someone(app, { permissions }), await someone(app, { permissions })];
  const send = (by: Someone, call: string) => app.gql(by.token, `mutation { ${call} }`);
  const { id } = (await send(who, away('a'))).data.saveAbsence;
  await send(who, `closeWeek(sprintId: "${sprintId}", learned: "a") { learned }`);
  const admin = await someone(app, { role: 'admin' });
  const createMeeting = `createMeeting(title: "Weekly", team: "connect", chairId: "${who.id}", attendeeIds: [], weekday: 4, time: "10:30",
    minutes: 30, place: "", link: "", agenda: "") { id }`;
  const meeting = (await send(admin, createMeeting)).data.createMeeting.id;
  const passkey = await passkeyOf(who);
  const changes: [string, string][] = [
    ['noticesChosen', 'chooseNotices(kind: decided, inApp: false, mail: false) { kind }'],
    ['quietHoursChosen', 'chooseQuietHours(on: true, from: "20:00", to: "07:00", daysOff: false) { on }'],
    ['absenceSaved', 'saveAbsence(firstDay: "2026-12-05", lastDay: "2026-12-06") { id }'],
    ['absenceEnded', `endAbsence(id: "${id}")`],
    ['weekRecapEdited', `closeWeek(sprintId: "${sprintId}", learned: "b", version: 1) { learned }`],
    ['timeWeekFinished', 'finishTimeWeek(monday: "2026-11-09") { final }'],
    ['meetingOfDayChanged', `changeMeetingOfDay(id: "${meeting}", version: 1, day: "2026-11-26") { id }`],
    ['passkeyRenamed', `renamePasskey(id: "${passkey}", name: "Key") { __typename }`],
  ];
  for (const [action, call] of changes) {
    await earlier(who, action, 100);
    const before = await countOf(who, action);
    expect([action, (await send(who, call)).code]).toEqual([action, 'TOO_MANY_ATTEMPTS']);
    expect(await countOf(who, action)).toBe(before);
  }
  expect((await send(other, away('b'))).code).toBeNull();
  app.clock.set(app.clock.now().add({ hours: 1, minutes: 1 }));
  const again = { ...who, token: await app.signIn(who.id) };
  for (const [action, call] of changes) expect([action, (await send(again, call)).code]).toEqual([action, null]);
  app.clock.set(Temporal.Instant.from(now));
});

test('the hundredth change is counted once among many at once, and an admin’s changes of others’ absences aren’t', async () => {
  const who = await someone(app, { permissions: staff });
  await earlier(who, 'noticesChosen', 97);
  const kinds = ['recap', 'decided', 'noted', 'assigned', 'mentioned', 'boundary'];
  const answers = await Promise.all(
    kinds.map((kind) =>
      app.gql(who.token, `mutation { chooseNotices(kind: ${kind}, inApp: false, mail: false) { kind } }`),
    ),
  );
  expect(await countOf(who, 'noticesChosen')).toBe(100);
  expect(answers.filter(({ code }) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(kinds.length - 3);
  const admin = await someone(app, { role: 'admin' });
  await earlier(admin, 'absenceSaved', 100);
  const saved = await app.gql(admin.token, `mutation { ${away('c').replace('(', `(userId: "${who.id}", `)} }`);
  expect(saved.code).toBeNull();
});

test('from half of an hour’s changes on, a session that proved nothing lately leaves the others to its person', async () => {
  const admin = await someone(app, { role: 'admin' });
  const createCard = 'createToolCard(title: "Desk", group: "IT", link: "https://a.test") { id }';
  const made = async () => (await app.gql(admin.token, `mutation { ${createCard} }`)).data.createToolCard.id;
  const [, card] = [await made(), await made()];
  const changes = [
    ['noticesChosen', 'chooseNotices(kind: decided, inApp: false, mail: false) { kind }'],
    ['settingChanged', 'changeSetting(key: "taskLimit", value: "7") { key }'],
    ['toolHealthSet', `setToolHealth(id: "${card}", health: down) { id }`],
    ['toolCardMoved', `moveToolCard(id: "${card}", by: -1) { id }`],
    ['toolCardChanged', `updateToolCard(id: "${card}", description: "All") { id }`],
  ] as const;
  for (const [action] of changes) await earlier(admin, action, action.startsWith('toolCard') ? 250 : 50);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(admin.id);
  for (const [action, call] of changes)
    expect([
      action,
      (await app.gql(admin.token, `mutation { ${call} }`)).code,
      (await app.gql(fresh, `mutation { ${call} }`)).code,
    ]).toEqual([action, 'CONFIRM_IDENTITY', null]);
});

test('nor does such a session make or remove all meetings, goals, requirements and evidence', async () => {
  const admin = await someone(app, { role: 'admin' });
  const send = async (call: string, token = admin.token) => app.gql(token, `mutation { ${call} }`);
  const idOf = async (call: string) =>
    Object.values((await send(`${call} { id }`)).data as { [name: string]: { id: string } })[0]!.id;
  const create = (
    title: string,
  ) => `createMeeting(title: "${title}", team: "connect", chairId: "${admin.id}", attendeeIds: [], weekday: 4,
    time: "10:30", minutes: 30, place: "", link: "", agenda: "")`;
  const [removed, kept] = [await idOf(create('First')), await idOf(create('Second'))];
  expect((await send(`removeMeeting(id: "${removed}", version: 1) { id }`)).code).toBeNull();
  const { rows: roles } = await app.database.pool.query('select name from roles limit 1');
  const added = (title: string) => `addRequirement(role: "${roles[0].name}", kind: training, title: "${title}")`;
  const [withdrawn, requirement] = [await idOf(added('First')), await idOf(added('Second'))];
  expect((await send(`withdrawRequirement(id: "${withdrawn}") { id }`)).code).toBeNull();
  const evidence = await idOf(
    `recordEvidence(requirementId: "${requirement}", personId: "${admin.id}", day: "2026-11-10")`,
  );
  const changes = [
    ['meetingCreated', `${create('Third')} { id }`],
    ['meetingRemoved', `removeMeeting(id: "${kept}", version: 1) { id }`],
    ['meetingRestored', `restoreMeeting(id: "${removed}") { id }`],
    [
      'numberGoalSet',
      'setNumberGoal(dataset: "orders", scope: "connect", metric: "orders", month: "2030-01", amount: "5") { month }',
    ],
    ['requirementAdded', `${added('Third')} { id }`],
    ['requirementRestored', `restoreRequirement(id: "${withdrawn}") { id }`],
    ['evidenceWithdrawn', `withdrawEvidence(id: "${evidence}") { id }`],
  ] as const;
  const half: Readonly<Record<string, number>> = { numberGoalSet: 250, evidenceWithdrawn: 500 };
  for (const [action] of changes) await earlier(admin, action, half[action] ?? 50);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(admin.id);
  for (const [action, call] of changes)
    expect([action, (await send(call)).code, (await send(call, fresh)).code]).toEqual([
      action,
      'CONFIRM_IDENTITY',
      null,
    ]);
});

test('nor does it withdraw or leave undone all tasks of its person, or change and remove the time of this and last week', async () => {
  await expect.poll(() => app.parts.settings().timeTracker).toBe(true);
  const approver = await someone(app, { role: 'admin' });
  const permissions = [...staff, 'VIEW_TOP_5_TIME_TRACKER'] as const;
  const owner = await someone(app, { permissions, approvers: [approver.id] });
  const current = await app.sprint();
  const task = await prepareTask(app.database, { ownerId: owner.id, sprintId: current, status: 'TODO' });
  const tasks = await prepareTasks(app.database, 3, { ownerId: owner.id, sprintId: current });
  const { rows } = await app.database.pool.query(
    `insert into time_entries (person_id, task_id, start_at, end_at)
     select $1, $2, $3::timestamptz + make_interval(mins => n), $3::timestamptz + make_interval(mins => n + 1)
     from generate_series(1, 5) n returning id::text`,
    [owner.id, task, '2026-11-13T08:00:00Z'],
  );
  const [edited, , ...entries] = rows.map(({ id }) => id as string);
  const stretch = (minute: number) =>
    `taskId: "${task}", start: "2026-11-13T07:0${minute}:00Z", end: "2026-11-13T07:0${minute + 1}:00Z"`;
  const left = await prepareTasks(app.database, 3, { ownerId: owner.id, sprintId, status: 'TODO' });
  const changes = [
    ['taskWithdrawn', 500, (at: number) => `withdrawTask(taskId: "${tasks[at]}") { id }`],
    ['taskLeftUndone', 500, (at: number) => `leaveUndone(taskId: "${left[at]}") { id }`],
    ['timeEntryChanged', 100, (at: number) => `editTime(id: "${edited}", ${stretch(at)}) { id }`],
    ['timeEntryRemoved', 100, (at: number) => `removeTime(id: "${entries[at]}") { id }`],
  ] as const;
  for (const [action] of changes) await earlier(owner, action, 50);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(owner.id);
  const codeOf = async (call: string, token: string) => (await app.gql(token, `mutation { ${call} }`)).code;
  for (const [action, mostPerHour, call] of changes) {
    expect([action, await codeOf(call(0), owner.token), await codeOf(call(0), fresh)]).toEqual([
      action,
      'CONFIRM_IDENTITY',
      null,
    ]);
    await earlier(owner, action, mostPerHour - 52);
    expect([action, await codeOf(call(1), fresh), await codeOf(call(2), fresh)]).toEqual([
      action,
      null,
      'TOO_MANY_ATTEMPTS',
    ]);
  }
  // Others can see in which week time was changed or removed, and no times.
  const { rows: lines } = await app.database.pool.query(
    "select distinct action, before, after from audit_log where actor_id = $1 and action like 'timeEntry%' and before <> '{}' order by action",
    [owner.id],
  );
  const before = { monday: '2026-11-09' };
  expect(lines).toMatchObject([
    { action: 'timeEntryChanged', before },
    { action: 'timeEntryRemoved', before },
  ]);
});

test('nor does it remove more than a few meetings, tools, evidence, notes and files', async () => {
  const admin = await someone(app, { role: 'admin' });
  const owner = await someone(app, { permissions: staff });
  const send = async (call: string, token = admin.token) => app.gql(token, `mutation { ${call} }`);
  const made = async (call: string): Promise<string> =>
    Object.values((await send(`${call} { id }`)).data as { [name: string]: { id: string } })[0]!.id;
  const meetings: string[] = [];
  const cards: string[] = [];
  const evidence: string[] = [];
  const { rows: roles } = await app.database.pool.query('select name from roles limit 1');
  const requirement = await made(`addRequirement(role: "${roles[0].name}", kind: training, title: "Few")`);
  for (const at of [0, 1, 2]) {
    const place = 'weekday: 4, time: "10:30", minutes: 30, place: "", link: "", agenda: ""';
    const people = `team: "connect", chairId: "${admin.id}", attendeeIds: []`;
    meetings.push(await made(`createMeeting(title: "Few ${at}", ${people}, ${place})`));
    cards.push(await made(`createToolCard(title: "Few ${at}", group: "Few", link: "https://a.test/${at}")`));
    const day = `2026-11-0${at + 1}`;
    evidence.push(
      await made(`recordEvidence(requirementId: "${requirement}", personId: "${admin.id}", day: "${day}")`),
    );
  }
  const tasks = await prepareTasks(app.database, 2, {
    ownerId: owner.id,
    sprintId: await app.sprint(),
    status: 'TODO',
  });
  for (const table of [
    'task_notes (task_id, author_id, author_name, text)',
    'task_attachments (task_id, author_id, author_name, file_name, mime, size)',
  ]) {
    const values = table.startsWith('task_notes') ? "'Text'" : "'a.txt', 'text/plain', 3";
    for (const task of tasks)
      await app.asOwner(
        `insert into ${table} select ${task}, ${owner.id}, 'Owner', ${values} from generate_series(1, 4)`,
      );
  }
  const mine = await made(`addNoteToTask(taskId: "${tasks[0]}", text: "Mine")`);
  const { rows } = await app.database.pool.query('select id::text from task_notes where author_id = $1', [admin.id]);
  const note = `taskId: "${mine}", noteId: "${rows[0].id}"`;
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(admin.id);
  const removals: [number, (at: number) => string][] = [
    [2, (at) => `removeMeeting(id: "${meetings[at]}", version: 1) { id }`],
    [2, (at) => `removeToolCard(id: "${cards[at]}") { id }`],
    [2, (at) => `withdrawEvidence(id: "${evidence[at]}") { id }`],
    [5, (at) => `removeNoteFromTask(taskId: "${tasks[at % 2]}", noteIndex: 0) { id }`],
    [5, (at) => `removeAttachmentFromTask(taskId: "${tasks[at % 2]}", attachmentIndex: 0) { id }`],
    [10, (at) => `editNote(${note}, text: "Text ${at}") { id }`],
  ];
  for (const [few, call] of removals) {
    for (let at = 0; at < few; at++) expect([call(at), (await send(call(at))).code]).toEqual([call(at), null]);
    expect([call(few), (await send(call(few))).code]).toEqual([call(few), 'CONFIRM_IDENTITY']);
    expect([call(few), (await send(call(few), fresh)).code]).toEqual([call(few), null]);
  }
});

test('nor does it empty more than a few of them, or recaps, by edits, or invite people to more than a few', async () => {
  const admin = await someone(app, { role: 'admin' });
  const invited = await someone(app, { permissions: staff });
  const send = (call: string, token = admin.token) => app.gql(token, `mutation { ${call} }`);
  const made = async (call: string): Promise<string> =>
    Object.values((await send(`${call} { id }`)).data as { [name: string]: { id: string } })[0]!.id;
  const title = (at: number) => `title: "Emptied ${at}"`;
  const rest = (others: string) =>
    `team: "connect", chairId: "${admin.id}", attendeeIds: [${others}], weekday: 4, time: "10:30", minutes: 30,
     place: "", link: "", agenda: ""`;
  const meeting = await made(`createMeeting(title: "Full", ${rest('')})`);
  const card = await made('createToolCard(title: "Full", group: "Emptied", link: "https://a.test")');
  const goal = (at: number) =>
    `setNumberGoal(dataset: "orders", scope: "connect", metric: "orders", month: "2031-0${at + 1}", amount: "${at + 5}")`;
  await app.database.pool.query(
    `insert into number_goals (dataset, scope, metric, month, amount, set_by, set_at)
     select 'orders', 'connect', 'orders', make_date(2031, n, 1), 10000, $1, now() from generate_series(1, 9) n`,
    [admin.id],
  );
  await send(`closeWeek(sprintId: "${sprintId}", learned: "Much") { id }`);
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(admin.id);
  const edits: ((at: number) => string)[] = [
    (at) => `updateMeeting(id: "${meeting}", version: ${at + 1}, ${title(at)}, ${rest('')}) { id }`,
    (at) => `updateToolCard(id: "${card}", ${title(at)}) { id }`,
    (at) => `${goal(at)} { month }`,
    (at) => `closeWeek(sprintId: "${sprintId}", learned: "${at}") { id }`,
  ];
  for (const call of edits) {
    for (let at = 0; at < 5; at++) expect([call(at), (await send(call(at))).code]).toEqual([call(at), null]);
    expect([call(5), (await send(call(5))).code]).toEqual([call(5), 'CONFIRM_IDENTITY']);
    expect([call(5), (await send(call(5), fresh)).code]).toEqual([call(5), null]);
  }
  const ofDay = `changeMeetingOfDay(id: "${meeting}", version: 7, day: "2026-11-26") { id }`;
  expect([(await send(ofDay)).code, (await send(ofDay, fresh)).code]).toEqual(['CONFIRM_IDENTITY', null]);
  const invitation = (at: number) => `createMeeting(${title(at)}, ${rest(`"${invited.id}"`)}) { id }`;
  for (let at = 1; at < 5; at++) expect((await send(invitation(at))).code).toBeNull();
  for (const code of ['CONFIRM_IDENTITY', null])
    expect((await send(invitation(5), code === null ? fresh : undefined)).code).toBe(code);
  expect((await send(`createMeeting(${title(6)}, ${rest('')}) { id }`)).code).toBeNull();
});

test('nor does it flood the approver with tasks or bonus questions, or stop all repeating tasks', async () => {
  const admin = await someone(app, { role: 'admin' });
  const permissions = [...staff, 'VIEW_TOP_5_BONUS_STRUCTURE'] as const;
  const owner = await someone(app, { permissions, approvers: [admin.id] });
  const current = await app.sprint();
  const tasks = await prepareTasks(app.database, 7, { ownerId: owner.id, sprintId: current, status: 'TODO' });
  await app.database.pool.query("update tasks set repeats = 'weekly' where id = any($1)", [tasks]);
  const { rows } = await app.database.pool.query(
    `with plan as (
       insert into bonus_plans (version, base, currency, fair_hours, components, from_sprint_id, created_by, created_at)
       values (1, 1, 'USD', 24, '{}', ${current}, ${admin.id}, now()) returning id)
     insert into bonus_statements (sprint_id, person_id, plan_id, amount, lines, tasks)
     select ${sprintId}, ${owner.id}, id, 1, '[{"key": "team", "part": 1, "whole": 1, "waived": false, "amount": "1"}]', '[]'
     from plan returning id::text`,
  );
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(owner.id);
  const send = async (call: string, token = owner.token) => (await app.gql(token, `mutation { ${call} { id } }`)).code;
  const calls: [number, (at: number) => string][] = [
    [30, (at) => `createTask(title: "New ${at}", userId: "${owner.id}")`],
    [5, (at) => `addBonusMessage(statementId: "${rows[0].id}", line: team, text: "Why ${at}?")`],
    [10, (at) => `repeatTask(taskId: "${tasks[6]}", repeats: ${at % 2 ? 'weekly' : 'twoWeekly'})`],
    [5, (at) => `repeatTask(taskId: "${tasks[at]}")`],
  ];
  await earlier(owner, 'bonusQuestionAsked', 45);
  for (const [few, call] of calls) {
    for (let at = 0; at < few; at++) expect([call(at), await send(call(at))]).toEqual([call(at), null]);
    expect([call(few), await send(call(few))]).toEqual([call(few), 'CONFIRM_IDENTITY']);
    expect([call(few), await send(call(few), fresh)]).toEqual([call(few), null]);
  }
  // A pasted list has 50 lines at most.
  for (let at = 31; at < 100; at++) expect(await send(calls[0]![1](at), fresh)).toBeNull();
  expect(await send(calls[0]![1](100), fresh)).toBe('TOO_MANY_ATTEMPTS');
});

test('nor does it move all times away of its person to other days, or empty their notes', async () => {
  const who = await someone(app, { permissions: staff });
  const send = (call: string, token = who.token) => app.gql(token, `mutation { ${call} }`);
  const days = (first: number, last: number) => `firstDay: "2026-12-0${first}", lastDay: "2026-12-0${last}"`;
  const { id } = (await send(`saveAbsence(${days(1, 2)}, note: "Paris") { id }`)).data.saveAbsence;
  app.clock.advance({ minutes: 11 });
  const fresh = await app.signIn(who.id);
  const change = async (values: string, token = who.token) =>
    (await send(`saveAbsence(id: "${id}", ${values}) { id }`, token)).code;
  await earlier(who, 'absenceEnded', 3);
  expect(await change(`${days(2, 3)}, note: "Paris"`)).toBeNull();
  for (const values of [
    `${days(2, 3)}, note: ""`,
    `${days(3, 4)}, note: "Oslo"`,
    `${days(3, 4)}, note: "Rome"`,
    days(4, 4),
  ])
    expect([values, await change(values), await change(values, fresh)]).toEqual([values, 'CONFIRM_IDENTITY', null]);
  for (const values of [days(4, 5), `${days(4, 6)}, note: "Rome by train"`])
    expect([values, await change(values)]).toEqual([values, null]);
});

test('a timer that ends earlier than now leaves a trace', async () => {
  const owner = await someone(app, { permissions: [...staff, 'VIEW_TOP_5_TIME_TRACKER'] });
  const task = await prepareTask(app.database, { ownerId: owner.id, sprintId: await app.sprint(), status: 'TODO' });
  const stop = async (at = '') => {
    await app.gql(owner.token, `mutation { startTimer(taskId: "${task}") { id } }`);
    app.clock.advance({ minutes: 5 });
    return (await app.gql(owner.token, `mutation { stopTimer${at} { id } }`)).code;
  };
  expect(await stop()).toBeNull();
  expect(await countOf(owner, 'timeEntryChanged')).toBe(0);
  expect(await stop(`(at: "${app.clock.now().add({ minutes: 1 }).toString()}")`)).toBeNull();
  expect(await countOf(owner, 'timeEntryChanged')).toBe(1);
  await earlier(owner, 'timeEntryChanged', 49);
  app.clock.advance({ minutes: 11 });
  expect(await stop(`(at: "${app.clock.now().add({ minutes: 1 }).toString()}")`)).toBe('CONFIRM_IDENTITY');
});
