// From every demo person who is no admin, no sequence of up to three permitted changes gives them or an
// accomplice anything new: no permission, nobody's tasks or stats, and no way into an account that opens
// more, or that opened more before (T14).
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { adminRole } from '#core/access/access.ts';
import { type Permission, permissionKeys } from '#core/access/permissions.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { type AccountFields, emptyAccount } from '#core/people/accounts.ts';
import { demoAccounts, demoRoles } from '#server/demo/demo-accounts.ts';
import { changeAccount } from '#server/people/account-changes.ts';
import { schema } from '#server/schema.ts';
import { ensureSprints, sprintCalendar } from '#server/tasks/sprints/sprints.service.ts';
import { startTestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import * as model from './no-way-up-model.ts';
import { seed } from './rounds.ts';

const nameOf = (email: string): string => email.split('@')[0] as string;
const accounts = demoAccounts.map(({ email, role, team, grants, approver }): [string, AccountFields] => [
  nameOf(email),
  { ...emptyAccount, email, role, team, grants, approverIds: approver === null ? [] : [nameOf(approver)] },
]);
const company: model.Company = {
  people: {
    ...Object.fromEntries(accounts),
    // Could decide and see stats, if anyone made them an approver or moved people into their team.
    chief: {
      ...emptyAccount,
      email: 'chief@demo.test',
      role: 'People',
      grants: ['VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_STATS', 'VIEW_TOP_5_STATS_CODEX'],
    },
    away: { ...emptyAccount, email: 'away@demo.test', role: 'Sales', disabled: true },
  },
  roles: Object.entries(demoRoles).map(([name, permissions]) => ({ id: name, name, permissions, version: 1 })),
  defaultApproverId: null,
  groupRoleId: 'Support',
  // Chief stands in for the admin, who approves the approver.
  away: { admin: 'chief' },
  controlled: [],
};
const first = Object.keys(company.people);
const accomplice = 'norole';
const actors = first.filter((id) => company.people[id]!.role !== adminRole && id !== 'away');

/** Permissions of each kind: a search with all of them finds nothing else and takes hours. */
const tried: readonly Permission[] = [
  'VIEW_DASHBOARD',
  'USER_MANAGEMENT',
  'VIEW_ROLE_EDITOR',
  'VIEW_TOP_5',
  'VIEW_TOP_5_APPROVALS',
  'VIEW_SALES',
];

const toggled = (list: readonly Permission[], one: Permission): Permission[] =>
  list.includes(one)
    ? list.filter((each) => each !== one)
    : permissionKeys.filter((key) => key === one || list.includes(key));

/** Every change with every argument that the small company offers. */
function actsOn(people: readonly string[]): model.Act[] {
  const roles = ['Staff', 'Approver', 'Sales', 'Support', 'People', 'New'];
  const acts: model.Act[] = [];
  for (const id of people) {
    for (const role of [null, adminRole, ...roles])
      acts.push(model.changeAccount('updateUser', id, `role ${role}`, { role }));
    for (const grants of [[], ...tried.map((one) => [one])])
      acts.push(model.changeAccount('updateUser', id, `grants ${grants}`, { grants }));
    acts.push(model.changeAccount('updateUser', id, 'email', { email: 'mine@example.test' }));
    for (const team of ['connect', 'codex', null])
      acts.push(model.changeAccount('changeUsers', id, `team ${team}`, { team }));
    acts.push(model.changeAccount('updateUser', id, 'visibility', { topFiveInvisible: false }));
    for (const on of [true, false]) acts.push(model.changeAccount('setTop5', id, `top 5 ${on}`, { topFive: on }));
    for (const disabled of [true, false])
      acts.push(model.changeAccount('setUserDisabled', id, `disabled ${disabled}`, { disabled }));
    acts.push(model.showLink(id), model.viewAs(id));
    for (const delegate of [accomplice, 'people', 'chief', 'made']) acts.push(model.goAway(id, delegate));
    for (const approvers of [[], ['people'], ['chief'], ['approver'], [accomplice]])
      acts.push(model.chooseApprovers(id, approvers));
  }
  for (const role of [null, 'Staff', 'Sales', 'People', 'New']) acts.push(model.makeAccount(role));
  acts.push(model.makeAccount(null, { grants: ['VIEW_SALES'] }), model.makeAccount(null, { approverIds: ['people'] }));
  for (const one of tried) acts.push(model.makeRole('New', [one]));
  acts.push(
    model.makeRole('New', ['VIEW_DASHBOARD', 'USER_MANAGEMENT']),
    model.makeRole('Support', ['VIEW_DASHBOARD']),
  );
  for (const id of roles) {
    for (const one of tried)
      acts.push(model.editRole(id, `toggle ${one}`, ({ permissions }) => ({ permissions: toggled(permissions, one) })));
    for (const name of ['Support', 'Other']) acts.push(model.editRole(id, `name ${name}`, () => ({ name })));
    acts.push(model.removeRole(id));
  }
  return [...acts, model.signInWithGroup(accomplice)];
}

type Found = { readonly states: number; readonly sequences: number; readonly gains: readonly string[] };

/**
 * Of the states before the last of three changes a full run goes on from every one, others from one in this
 * many.
 */
const oneIn = rounds(12, 1);

/**
 * Every sequence up to this length, by any account that is controlled by then, or by the actor alone. Stops
 * at the first gain.
 */
function search(actor: string, acts: readonly model.Act[], length: number, from = company, alone = false): Found {
  const start: model.Company = { ...from, controlled: [...new Set([actor, accomplice])].sort() };
  // Signing in with the group is no gain: the provider gives it.
  const allowed = model.reachOf(
    {
      ...start,
      people: { ...start.people, group: { ...emptyAccount, role: 'Support' } },
      controlled: [...start.controlled, 'group'],
    },
    first,
  );
  // Nor are their own tasks: the permission to keep some is a gain by itself, unless the actor has it.
  const ownTasks = start.controlled.map((id) => `tasks of ${id}`);
  const before = new Map<string, model.Reach>();
  const reachBefore = (controlled: readonly string[]): model.Reach => {
    const known = before.get(controlled.join()) ?? model.reachOf({ ...start, controlled }, first);
    before.set(controlled.join(), known);
    return known;
  };
  let layer = new Map([[model.keyOf(start), { state: start, ways: 1, words: '' }]]);
  const seen = new Set(layer.keys());
  let sequences = 0;
  for (let step = 1; step <= length; step += 1) {
    const next: typeof layer = new Map();
    const chosen = [...layer.values()].filter((_, index) => step < 3 || (index + seed) % oneIn === 0);
    for (const { state, ways, words } of chosen)
      for (const by of alone ? [actor] : state.controlled)
        for (const act of acts) {
          const after = act.run(state, by);
          if (isRefusal(after) || after === state) continue;
          sequences += ways;
          const key = model.keyOf(after);
          const known = next.get(key);
          const path = `${words}${by}: ${act.words}; `;
          next.set(key, { state: after, ways: (known?.ways ?? 0) + ways, words: path });
          if (seen.has(key)) continue;
          seen.add(key);
          // What an account opened at first counts too: an admin who finds it taken away gives it back.
          const reaches = [model.reachOf(after, first), reachBefore(after.controlled)];
          const gains = reaches.flatMap((reach) => [
            ...[...reach.permissions].filter((one) => !allowed.permissions.has(one)),
            ...[...reach.tasks].filter((one) => !allowed.tasks.has(one) && !ownTasks.includes(one)),
          ]);
          if (gains.length > 0) return { states: seen.size, sequences, gains: gains.map((gain) => `${path}${gain}`) };
        }
    layer = next;
  }
  return { states: seen.size, sequences, gains: [] };
}

const acts = actsOn([accomplice, 'people', 'sales', 'top5', 'approver', 'admin', 'away', 'made']);

test.each(actors)('%s gains nothing by any three permitted changes, alone or with an accomplice', (actor) => {
  const { states, sequences, gains } = search(actor, acts, 3);
  console.info(`${actor}: ${states} states, ${sequences} sequences`);
  expect(gains, `seed ${seed}`).toEqual([]);
});

// With an accomplice they could (SECURITY.md), as managers who approve someone.
test('a delegate who manages people gains nothing by any two permitted changes of their own', () => {
  const { states, sequences, gains } = search('chief', acts, 2, { ...company, away: { approver: 'chief' } }, true);
  console.info(`the delegate: ${states} states, ${sequences} sequences`);
  expect(gains).toEqual([]);
});

test('the search finds a way up where there is one', () => {
  const planted: model.Act = {
    mutation: 'planted',
    words: 'a grant without a rule',
    run: (state, by) => ({
      ...state,
      people: { ...state.people, [by]: { ...state.people[by]!, role: 'People', grants: ['VIEW_SALES'] } },
    }),
  };
  expect(search('people', [planted], 1).gains.join()).toContain('VIEW_SALES');
  const hidden: model.Act = {
    mutation: 'planted',
    words: 'a mailbox without a rule',
    run: (state) => ({ ...state, controlled: [...new Set([...state.controlled, 'sales'])].sort() }),
  };
  expect(search('people', [hidden], 1).gains.join()).toContain('READ_BGP');
  const approving: model.Act = {
    mutation: 'planted',
    words: 'an approver without a rule',
    run: (state) => ({
      ...state,
      people: { ...state.people, sales: { ...state.people.sales!, approverIds: ['approver'] } },
    }),
  };
  expect(search('approver', [approving], 1).gains.join()).toContain('tasks of sales');
});

test('the search finds a delegate whom nobody chose', () => {
  const planted: model.Act = {
    mutation: 'planted',
    words: 'a delegate without a rule',
    run: (state) => ({ ...state, away: { approver: 'chief' } }),
  };
  const gains = search('chief', [planted], 1).gains.join();
  expect(gains).toContain('tasks of staff');
  expect(gains).toContain('stats of staff');
});

test('the server answers each change of an account as the search does, and the account is then the same', async () => {
  const server = await startTestApp();
  const ids = new Map<string, string>();
  for (const [name, fields] of Object.entries(company.people)) {
    const permissions = company.roles.find(({ name: role }) => role === fields.role)?.permissions ?? [];
    const made = { email: fields.email, role: fields.role, grants: fields.grants as Permission[], permissions };
    ids.set(name, await server.person({ ...made, team: fields.team }));
  }
  for (const role of company.roles)
    await server.database.pool.query('insert into roles (name, permissions) values ($1, $2) on conflict do nothing', [
      role.name,
      role.permissions,
    ]);
  for (const [name, { approverIds }] of Object.entries(company.people))
    for (const approver of approverIds)
      await server.database.pool.query('insert into approvers values ($1, $2)', [ids.get(name), ids.get(approver)]);
  await server.database.pool.query("update people set password_hash = 'used'");
  await ensureSprints(server.database, server.parts.clock.now(), sprintCalendar(server.parts));
  await server.database.pool.query(
    `insert into tasks (owner_id, sprint_id, title, category, created_by)
      select p.id, s.id, 'Report', 'Connect', p.id from people p, (select id from sprints limit 1) s`,
  );
  await server.database.pool.query('update people set disabled_at = now() where id = $1', [ids.get('away')]);
  const by = 'people';
  const viewer = { ...model.changerOf(company, by), id: ids.get(by) as string };
  const actor = { ...server.parts, viewer, requestId: 'test', address: '127.0.0.1' };
  const differences: string[] = [];
  let compared = 0;
  for (const { asks, run, words } of acts) {
    if (!asks || !company.people[asks.id]) continue;
    const id = ids.get(asks.id) as string;
    const expected = run(company, by);
    let answer = '';
    await server.database
      .transaction(async (queries) => {
        await changeAccount(queries, actor, id, asks.change).then(
          async () => {
            const { rows } = await queries.execute<Record<string, unknown>>(
              sql`select email, role, team, grants, top5_invisible as invisible, disabled_at is not null as disabled from people where id = ${id}::bigint`,
            );
            answer = JSON.stringify(Object.values(rows[0] ?? {}));
          },
          (error) => {
            answer = error.refusal?.code ?? String(error);
          },
        );
        throw new Error('taken back');
      })
      .catch(() => {});
    const after = isRefusal(expected) ? null : expected.people[asks.id]!;
    const wanted = isRefusal(expected)
      ? expected.code
      : JSON.stringify([
          after!.email,
          after!.role,
          after!.team,
          after!.grants,
          after!.topFiveInvisible,
          after!.disabled,
        ]);
    compared += 1;
    if (answer !== wanted) differences.push(`${words}: ${answer} and not ${wanted}`);
  }
  console.info(`${compared} changes compared with the server`);
  expect(differences).toEqual([]);
  await server.stop();
});

const ownThing = 'changes what is one’s own, and who may see it stays as it is';
const adminOnly = 'only an admin makes it';
const taskQuery = 'changes a task within the rules of tasks, and nobody’s permissions, approvers or account';
const numbersQuery = 'changes what numbers show, and nobody’s permissions';
const closes = 'takes a way in away, and gives none';

/**
 * Why a mutation is not in the search: it changes nobody's access. A new one needs a line here or an act in
 * the model.
 */
const outside: Readonly<Record<string, string>> = {
  askForRole: 'notifies admins, who give the role',
  declineRole: adminOnly,
  acknowledgeSignIn: ownThing,
  disconnectIdentity: 'one’s own, after a fresh proof that it is oneself',
  endAbsence: 'ends an absence: only what an approver chose before counts again',
  endSession: ownThing,
  removeWayIn: 'only takes ways in away, of accounts whose sign-in the manager may change',
  signOutEverywhere: 'one’s own, after a fresh proof that it is oneself',
  addBonusMessage: taskQuery,
  addNoteToTask: taskQuery,
  addRequirement: adminOnly,
  addTime: ownThing,
  carryOver: taskQuery,
  changeMeetingOfDay: 'moves a meeting, which opens nothing',
  changeSetting: adminOnly,
  chooseNotices: ownThing,
  chooseQuietHours: ownThing,
  closeWeek: ownThing,
  confirmGuidelines: ownThing,
  createAuditTicket: adminOnly,
  createBonusPlan: adminOnly,
  createBonusTicket: 'the amounts that one may read, as a file',
  createPeopleTicket: 'the list that one may read, as a file',
  createCalendarFeed: 'one’s own feed, with the meetings that one sees',
  createImportReportTicket: 'an address of one’s own for a minute, read with one’s own permissions',
  createMeeting: adminOnly,
  createServiceToken: adminOnly,
  createTask: taskQuery,
  createToolCard: adminOnly,
  decideTasks: taskQuery,
  deleteImportMapping: numbersQuery,
  editNote: taskQuery,
  editTime: ownThing,
  endUserSessions: closes,
  exportTicket: 'an address of one’s own for a minute, read with one’s own permissions',
  finishTimeWeek: ownThing,
  leaveUndone: taskQuery,
  markAllNotices: ownThing,
  markNotices: ownThing,
  moveToSprint: taskQuery,
  moveToolCard: adminOnly,
  newRecoveryCodes: 'one’s own codes, after a fresh proof that it is oneself',
  orderTasks: ownThing,
  pinNumber: ownThing,
  publishGuidelines: adminOnly,
  recordEvidence: adminOnly,
  recordEvidenceForPeople: adminOnly,
  removeAttachmentFromTask: taskQuery,
  removeAuthenticator: 'one’s own, after a fresh proof that it is oneself',
  removeMeeting: adminOnly,
  removeNoteFromTask: taskQuery,
  removePasskey: 'one’s own, after a fresh proof that it is oneself',
  removeSecondFactor: adminOnly,
  removeTime: ownThing,
  removeToolCard: adminOnly,
  renamePasskey: ownThing,
  repeatTask: taskQuery,
  reopenTimeWeek: ownThing,
  resetSecondFactor: adminOnly,
  restoreAttachment: taskQuery,
  restoreEvidence: adminOnly,
  restoreMeeting: adminOnly,
  restoreNote: taskQuery,
  restoreRequirement: adminOnly,
  restoreToolCard: adminOnly,
  retryMails: adminOnly,
  revokeCalendarFeed: closes,
  revokeServiceToken: adminOnly,
  saveImportMapping: numbersQuery,
  seeNotices: ownThing,
  setDefaultApprover: adminOnly,
  setNumberGoal: numbersQuery,
  setToolHealth: 'marks a tool as working or not',
  startTimer: ownThing,
  stopImport: numbersQuery,
  stopTimer: ownThing,
  stopViewing: closes,
  undoDecision: taskQuery,
  undoDecisions: taskQuery,
  undoTaskStep: taskQuery,
  undoTaskSteps: taskQuery,
  undoImport: numbersQuery,
  removeImportSource: numbersQuery,
  eraseReference: numbersQuery,
  setRetention: numbersQuery,
  unpinNumber: ownThing,
  updateEvidence: adminOnly,
  updateMeeting: 'changes a meeting, which opens nothing',
  updateRequirement: adminOnly,
  updateTask: taskQuery,
  updateToolCard: adminOnly,
  withdrawEvidence: adminOnly,
  withdrawEvidenceOfPeople: adminOnly,
  withdrawRequirement: adminOnly,
  withdrawRoleRequest: 'takes back what the caller requested',
  withdrawTask: taskQuery,
};

test('every mutation is in the search, or has a reason why it changes nobody’s access', () => {
  const all = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const searched = new Set(acts.map(({ mutation }) => mutation));
  expect(all.filter((name) => !searched.has(name) && outside[name] === undefined)).toEqual([]);
  expect(Object.keys(outside).filter((name) => searched.has(name) || !all.includes(name))).toEqual([]);
});
