// The one world that every call of the matrix meets: a subject whose permissions change from principal to
// principal, and around them the things of every relation. Nothing in it changes after it was made, as every
// call is taken back.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { hashWith } from '#server/numbers/import/erasures.store.ts';
import { readerOf } from '#server/platform/db/reader.ts';
import { calendarPath } from '#server/platform/log/calendar-path.ts';
import { sessionIdOf, tokenHash } from '#server/platform/viewer.ts';
import { linkFor } from '#server/tasks/attachments/file-links.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { openFolder } from '../database-folder.ts';
import { client, startIdentityProvider } from '../identity-provider.ts';
import { approving, prepareTask, staff } from '../task-fixtures.ts';
import { type Principal, subjectRole } from './principals.ts';
import { openRolledBackDatabase, type RolledBackDatabase } from './rolled-back-database.ts';
import type { Relation } from './spec-table.ts';

export const metricsToken = 'metrics-0123456789abcdefghijklmnop';

/** Never to be seen in any answer. */
export const secrets = { password: 'canary-password-hash', storageKey: 'canary-storage-key' } as const;

/** A task of a relation with everything that depends on it. */
export type Thing = {
  readonly owner: string;
  /** In status To Do. */
  readonly task: string;
  readonly waiting: string;
  /** Approved by the subject ten seconds ago. */
  readonly decided: string;
  readonly note: string;
  readonly removedNote: string;
  readonly file: string;
  readonly removedFile: string;
  readonly fileLink: string;
  readonly calendar: string;
  /** A second task, whose only note is someone else's. */
  readonly annotated: string;
  readonly noteOfAnother: string;
  readonly meeting: string;
  readonly feed: string;
  readonly viewing: string;
  readonly notice: string;
  /** The owner's time away, in the future and without a delegate. */
  readonly absence: string;
  readonly entry: string;
  readonly statement: string;
};

export type World = {
  readonly app: TestApp;
  readonly taking: RolledBackDatabase;
  readonly subject: string;
  readonly token: string;
  readonly admin: string;
  readonly people: Readonly<
    Record<'approvee' | 'other' | 'stranger' | 'newcomer' | 'invitee' | 'roleless' | 'disabled', string>
  >;
  readonly things: Readonly<Record<Relation, Thing>>;
  readonly sprints: Readonly<Record<'past' | 'current' | 'next', string>>;
  readonly mapping: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly tickets: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<'invite' | 'signIn', string>>;
  /** Tokens of nobody: each is refused as such. */
  readonly badTokens: Readonly<Record<string, { readonly header: string; readonly code: string }>>;
  become(principal: Principal): Promise<void>;
  stop(): Promise<void>;
};

const now = '2026-11-18T12:00:00Z';
const days = { past: '2026-11-04T12:00:00Z', last: '2026-11-11T12:00:00Z', next: '2026-11-25T12:00:00Z' } as const;
const components = {
  signedOff: { weight: 50, from: 50, full: 80, cap: 120 },
  firstPass: { weight: 30, from: 50, full: 90, cap: 120 },
  team: { weight: 20, from: 50, full: 80, cap: 120 },
};

/** A mapping file as people write it. */
const mapping = readFileSync(
  join(import.meta.dirname, '../../examples/import/payments_olist_orders_joined.json'),
  'utf8',
);

/** Who signs in by a password. */
export const login = { email: 'newcomer@example.test', password: 'orchid lantern gravel quartz' } as const;

const newToken = (): string => randomBytes(32).toString('base64url');

const ownCalendar = newToken();
export const unknownId = '999999999';

/** Where nothing is: its links are valid for any caller. */
export const missingThing = ({ app, subject, token, things }: World): Thing => ({
  ...(Object.fromEntries(Object.keys(things.own).map((name) => [name, unknownId])) as Thing),
  fileLink: linkFor({ ...app.parts, viewer: { id: subject } as never, session: tokenHash(token) }, { id: unknownId }),
  calendar: calendarPath(newToken()),
});

/** Inserts a row and gives its id, or the column that is asked for. */
type Insert = (table: string, values: Record<string, unknown>, gives?: string) => Promise<string>;

const inserting =
  (app: TestApp): Insert =>
  async (table, values, gives = 'id') => {
    const names = Object.keys(values);
    const { rows } = await app.database.pool.query(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning ${gives}::text as made`,
      Object.values(values),
    );
    return rows[0].made;
  };

export async function makeWorld(): Promise<World> {
  const provider = await startIdentityProvider();
  const base = await startTestApp({ now });
  const insert = inserting(base);
  await insert('settings', { key: 'timeTracker', value: 'true' }, 'key');
  const web = builtWeb();
  const taking = await openRolledBackDatabase(base.databaseUrl);
  const app = await startTestApp({
    beside: base,
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      PUBLIC_URL: 'https://dashboard.example.test',
      METRICS_TOKEN: metricsToken,
    },
    parts: { database: taking.database, reader: readerOf(taking.database), pages: { folder: web, demo: false } },
  });
  const people = await makePeople(base, insert);
  const { subject, admin } = people;
  const identity = {
    issuer: new URL(provider.issuer).href,
    subject: 'somebody',
    person_id: subject,
    connected_at: days.past,
  };
  await insert('identities', identity, 'person_id');
  const sprints = {
    past: await base.sprint(days.past),
    last: await base.sprint(days.last),
    current: await base.sprint(),
    next: await base.sprint(days.next),
  };
  // Nothing is due to be recorded, which any next call would do.
  await base.asOwner(
    `update sprints set commitment_at = start_at, result_at = case when end_at < $1 then end_at + interval '48 hours' end
     where start_at < $1`,
    [now],
  );
  const plan = await insert('bonus_plans', {
    ...{ version: 1, from_sprint_id: sprints.past, base: 1_000_000, currency: 'USD', fair_hours: 24 },
    ...{ components: JSON.stringify(components), created_by: admin, created_at: days.past },
  });
  const token = await base.signIn(subject);
  const session = tokenHash(token);
  const make = thingMaker(app, base, insert, { ...people, plan, past: sprints.past, session });
  const things: Record<Relation, Thing> = {
    own: await make(subject, sprints.current),
    approvee: await make(people.approvee, sprints.current),
    other: await make(people.other, sprints.current),
    stranger: await make(people.stranger, sprints.current),
    deleted: await make(subject, sprints.current, 'gone'),
    past: await make(subject, sprints.past),
  };
  await base.asOwner('update tasks set withdrawn_at = $2 where id = any($1)', [
    [things.deleted.task, things.deleted.waiting, things.deleted.decided, things.deleted.annotated],
    now,
  ]);
  // Only a session in a browser with a token answers for another sign-in, and only one that showed a factor
  // changes factors.
  await base.asOwner(
    `with begun as (
       update sessions set address = '127.0.0.1', factor_verified_at = created_at
       where token_hash = $1 returning person_id, created_at, address)
     insert into account_events (person_id, at, kind, address, detail)
     select person_id, created_at, 'signedIn', address, '{"browser":"known"}' from begun`,
    [session],
  );
  return {
    app,
    taking,
    subject,
    token,
    admin,
    people,
    things,
    sprints,
    mapping,
    ...(await makeTheRest(base, insert, people, session, sprints.past)),
    badTokens: await makeBadTokens(base, insert, people),
    async become({ role, permissions, grants = [], approved = true, invisible = false }) {
      const { pool } = base.database;
      await pool.query('update roles set permissions = $2 where name = $1', [subjectRole, permissions]);
      await pool.query('update people set role = $2, grants = $3, top5_invisible = $4 where id = $1', [
        ...[subject, role, grants, invisible],
      ]);
      await pool.query('delete from approvers where person_id = $1', [subject]);
      if (approved) await insert('approvers', { person_id: subject, approver_id: people.approver }, 'person_id');
      await forgetFetches(app);
    },
    async stop() {
      await app.stop();
      await taking.database.close();
      await base.stop();
      await provider.stop();
      rmSync(web, { recursive: true, force: true });
    },
  };
}

/**
 * Hundreds of principals fetch one calendar at one instant. Fetches are counted by quarters of an hour: one
 * in another forgets them.
 */
async function forgetFetches(app: TestApp): Promise<void> {
  app.clock.advance({ hours: 1 });
  await app.call({ method: 'GET', url: calendarPath(newToken()) });
  app.clock.set(now);
}

/** As a build leaves it, with nothing in its files. */
function builtWeb(): string {
  const folder = openFolder('matrix-web');
  mkdirSync(join(folder, 'assets'));
  for (const name of ['index.html', 'login.html', 'theme.js', 'icon.svg', 'icon-180.png', 'robots.txt', 'assets/a.js'])
    writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
  return folder;
}

type People = Readonly<
  Record<
    | 'subject'
    | 'admin'
    | 'approver'
    | 'approvee'
    | 'otherApprover'
    | 'other'
    | 'stranger'
    | 'newcomer'
    | 'invitee'
    | 'roleless'
    | 'disabled',
    string
  >
>;

async function makePeople(base: TestApp, insert: Insert): Promise<People> {
  const passwordHash = secrets.password;
  const admin = await base.person({ role: 'admin', firstName: 'Ada', passwordHash });
  const approver = await base.person({ role: 'Approver', permissions: approving, passwordHash });
  const known = await hashPassword(login.password);
  const subject = await base.person({ role: subjectRole, permissions: [], passwordHash: known });
  const approvee = await base.person({ role: 'Staff', permissions: staff, approvers: [subject], passwordHash });
  const otherApprover = await base.person({ role: 'Approver', approvers: [admin], passwordHash });
  const other = await base.person({ role: 'Staff', team: 'green', approvers: [otherApprover], passwordHash });
  const stranger = await base.person({ role: 'Staff', team: 'give', passwordHash });
  const newcomer = await base.person({ ...login, role: 'Newcomer', passwordHash: known });
  const invitee = await base.person({ role: 'Newcomer' });
  const roleless = await base.person({ role: null });
  const disabled = await base.person({ role: 'Newcomer' });
  await base.database.pool.query('update people set disabled_at = $2 where id = $1', [disabled, now]);
  await insert('roles', { name: 'Unused', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] });
  return { subject, admin, approver, approvee, otherApprover, other, stranger, newcomer, invitee, roleless, disabled };
}

function thingMaker(
  app: TestApp,
  base: TestApp,
  insert: Insert,
  { subject, admin, plan, past, session }: Record<'subject' | 'admin' | 'plan' | 'past', string> & { session: Buffer },
): (owner: string, sprintId: string, gone?: 'gone') => Promise<Thing> {
  let made = 0;
  return async (ownerId, sprintId, gone) => {
    made += 1;
    const at = '2026-11-02T11:00:00Z';
    const prepared = { ownerId, sprintId, at };
    const [task, annotated, waiting, decided] = [
      await prepareTask(base.database, { ...prepared, status: 'TODO' }),
      await prepareTask(base.database, { ...prepared, status: 'TODO' }),
      await prepareTask(base.database, { ...prepared, status: 'INAPPROVAL' }),
      await prepareTask(base.database, { ...prepared, status: 'TODO' }),
    ];
    // Whose decision it was: nobody decides a task of their own.
    const decider = ownerId === subject ? admin : subject;
    await insert('task_history', {
      ...{ task_id: decided, sprint_id: sprintId, at: '2026-11-18T11:59:50Z', actor_id: decider, actor_name: 'A' },
      ...{ event: 'approved', from_status: 'INAPPROVAL', to_status: 'TODO', version: 1 },
    });
    const ofSubject = { task_id: task, author_id: subject, author_name: 'S', at };
    const note = await insert('task_notes', { ...ofSubject, text: 'A note' });
    const file = { ...ofSubject, file_name: 'a.txt', mime: 'text/plain', size: 4 };
    const attachment = await insert('task_attachments', {
      ...file,
      storage_key: storedFile(app, made),
      sha256: Buffer.alloc(32),
    });
    const viewer = { id: subject } as never;
    const once = gone && { removed_at: now };
    const person = await app.person({ role: 'Newcomer' });
    return {
      owner: ownerId,
      ...{ task, waiting, decided, annotated, note, file: attachment },
      removedNote: await insert('task_notes', { ...ofSubject, text: 'Removed', removed_at: now }),
      removedFile: await insert('task_attachments', { ...file, removed_at: now }),
      fileLink: linkFor({ ...app.parts, viewer, session }, { id: attachment }),
      calendar: calendarPath(gone ? newToken() : ownCalendar),
      noteOfAnother: await insert('task_notes', {
        ...{ task_id: annotated, author_id: admin, author_name: 'A', at, text: 'Not the subject’s' },
      }),
      meeting: await insert('meetings', {
        ...{
          title: 'Meeting',
          chair_id: ownerId,
          weekday: 4,
          time: '09:30',
          minutes: 30,
          place: '',
          link: '',
          agenda: '',
        },
        ...{ first_day: '2026-11-05', created_by: admin, created_at: at, changed_at: at, ...once },
      }),
      feed: await insert('calendar_feeds', {
        ...{ token_hash: randomBytes(32), person_id: gone ? person : ownerId, created_at: at },
        team: sprintId === past ? 'green' : null,
      }),
      viewing: await insert('viewings', {
        looker_id: ownerId,
        person_id: admin,
        started_at: now,
        ends_at: '2026-11-18T13:00:00Z',
      }),
      absence: await insert('absences', {
        ...{ person_id: ownerId, first_day: `2027-02-0${made}`, last_day: `2027-02-0${made}` },
      }),
      notice: await insert('notices', {
        ...{ person_id: ownerId, kind: 'boundary', key: `notice ${made}`, in_app: true, at },
        facts: JSON.stringify({
          kind: 'boundary',
          sprint: '2026 W47',
          endAt: '2026-11-23T10:00:00Z',
          open: 1,
          waiting: 0,
        }),
      }),
      entry: await insert('time_entries', {
        ...{ person_id: ownerId, task_id: task },
        ...{ start_at: `2026-11-17T0${made}:00:00Z`, end_at: `2026-11-17T0${made}:30:00Z` },
      }),
      statement: await statementOf(insert, gone ? person : ownerId, sprintId === past ? null : past, plan),
    };
  };
}

/** One recorded statement a person, with a question that waits for its answer. */
async function statementOf(insert: Insert, personId: string, sprintId: string | null, planId: string): Promise<string> {
  if (sprintId === null) return '0';
  const line = { part: 1, whole: 1, waived: false, amount: '10' };
  const statement = await insert('bonus_statements', {
    ...{ sprint_id: sprintId, person_id: personId, plan_id: planId, amount: 30, tasks: '[]' },
    lines: JSON.stringify(['signedOff', 'firstPass', 'team'].map((key) => ({ key, ...line }))),
  });
  await insert('bonus_messages', {
    ...{
      statement_id: statement,
      line: 'team',
      author_id: personId,
      author_name: 'P',
      is_question: true,
      text: '?',
      at: now,
    },
  });
  await insert(
    'sprint_results',
    {
      ...{ sprint_id: sprintId, person_id: personId, committed: 1, carried_out: 0 },
      counts: JSON.stringify({ INAPPROVAL: 0, DENIED: 0, TODO: 1, INPROGRESS: 0, INREVIEW: 0, DONE: 0 }),
    },
    'person_id',
  );
  return statement;
}

function storedFile(app: TestApp, made: number): string {
  const folder = join(app.parts.config.dataDir, 'files');
  mkdirSync(folder, { recursive: true });
  const key = `${secrets.storageKey}-${made}`;
  writeFileSync(join(folder, key), 'text');
  return key;
}

async function makeTheRest(
  base: TestApp,
  insert: Insert,
  { subject, admin, approvee, newcomer }: People,
  session: Buffer,
  past: string,
): Promise<Pick<World, 'ids' | 'tickets' | 'links'>> {
  const at = now;
  const byAdmin = { recorded_by: admin, day: '2026-11-01' };
  const ids: Record<string, string> = {};
  const role = (name: string) => base.database.pool.query('select id::text from roles where name = $1', [name]);
  ids.role = (await role('Staff')).rows[0].id;
  ids.unusedRole = (await role('Unused')).rows[0].id;
  await insert('audit_log', {
    ...{ actor_id: approvee, action: 'roleAsked', subject_type: 'person', subject_id: newcomer, at },
    after: JSON.stringify({ role: 'Unused' }),
  });
  await insert(
    'guideline_versions',
    { version: 1, text: 'Text', note: 'First', published_by: admin, published_at: at },
    'version',
  );
  ids.requirement = await insert('role_requirements', { role_id: ids.role, kind: 'training', title: 'Training' });
  ids.withdrawnRequirement = await insert('role_requirements', {
    ...{ role_id: ids.role, kind: 'training', title: 'Other', withdrawn_at: at },
  });
  const evidence = { requirement_id: ids.requirement, person_id: approvee, ...byAdmin };
  ids.evidence = await insert('role_evidence', evidence);
  ids.withdrawnEvidence = await insert('role_evidence', { ...evidence, withdrawn_at: at });
  const card = { group_name: 'Group', link: 'https://tool.example.test', health_at: at };
  ids.card = await insert('tool_cards', { ...card, title: 'Tool', place: 1 });
  ids.secondCard = await insert('tool_cards', { ...card, title: 'Second', place: 2 });
  ids.removedCard = await insert('tool_cards', { ...card, title: 'Removed', place: 3, removed_at: at });
  ids.cardOfRoleEditors = await insert('tool_cards', {
    ...card,
    title: 'For some',
    place: 4,
    permission: 'VIEW_ROLE_EDITOR',
  });
  ids.cardOfNobody = await insert('tool_cards', {
    ...card,
    title: 'For admins',
    place: 5,
    permission: 'VIEW_NEVER_KNOWN',
  });
  ids.removedMeeting = await insert('meetings', {
    ...{ title: 'Gone', chair_id: admin, weekday: 4, time: '09:30', minutes: 30, place: '', link: '', agenda: '' },
    ...{ first_day: '2026-11-05', created_by: admin, created_at: at, changed_at: at, removed_at: at },
  });
  ids.meeting = await insert('meetings', {
    ...{
      title: 'Of the admin',
      chair_id: admin,
      weekday: 4,
      time: '11:30',
      minutes: 30,
      place: '',
      link: '',
      agenda: '',
    },
    ...{ first_day: '2026-11-05', created_by: admin, created_at: at, changed_at: at },
  });
  ids.serviceToken = await insert('service_tokens', {
    ...{ token_hash: randomBytes(32), name: 'Shop', datasets: ['orders'], created_by: admin, created_at: at },
  });
  await insert(
    'import_mappings',
    { name: 'kept', dataset: 'payments', mapping, saved_by: admin, saved_at: at },
    'name',
  );
  ids.importRun = await insert('import_runs', {
    ...{ dataset: 'orders', source: 's', mapping: 'm', file_name: 'f.csv', is_dry_run: false, person_id: admin },
    ...{ state: 'done', started_at: at, seen_at: at, size: 1, bytes_read: 1 },
    // It is already being undone, so a call starts nothing that would outlive its rolled-back transaction.
    ...{ undo_state: 'running', undo_by: admin, undo_seen_at: at },
  });
  // Likewise.
  await insert('import_runs', {
    ...{ dataset: 'orders', source: 'going', mapping: '', file_name: '', is_dry_run: false, person_id: admin },
    ...{ state: 'running', way: 'removal', started_at: now, seen_at: now, size: 0 },
  });
  const key = randomBytes(32);
  await insert('erasure_keys', { key });
  await insert('import_runs', {
    ...{ dataset: 'orders', source: '', mapping: '', file_name: '', is_dry_run: false, person_id: admin },
    ...{ state: 'running', way: 'erasure', started_at: now, seen_at: now, size: 0 },
    file_hash: Buffer.from(hashWith(key, 'orders')('going'), 'hex'),
  });
  await insert('import_changes', { run_id: ids.importRun, first_id: 1, last_id: 1 }, 'run_id');
  await insert('import_report_parts', { run_id: ids.importRun, part: 0, content: gzipSync('line') }, 'run_id');
  ids.mail = await insert('notice_mails', { person_id: approvee, tries: 5, failed_at: at, reason: 'No such box' });
  await insert('time_weeks', { person_id: subject, monday: '2026-11-02', final_at: at }, 'monday');
  for (const person_id of [subject, approvee]) {
    ids[person_id === subject ? 'passkey' : 'passkeyOfOther'] = await insert('passkeys', {
      ...{ person_id, credential_id: randomBytes(16), public_key: randomBytes(77), counter: 0, name: 'Laptop' },
      ...{ device_type: 'singleDevice', backed_up: false, created_at: at },
    });
    await insert(
      'authenticators',
      { person_id, secret: randomBytes(53), confirmed_at: at, created_at: at },
      'person_id',
    );
  }
  ids.sessionOfOther = (await sessionOf(base, newcomer)).hash;
  ids.sessionOfAdmin = (await sessionOf(base, admin)).hash;
  const named = async (person: string) =>
    createHash('sha256')
      .update(tokenHash((await sessionOf(base, person)).token))
      .digest('hex');
  ids.namedSession = await named(newcomer);
  ids.namedSessionOfAdmin = await named(admin);
  ids.otherSession = await named(subject);
  await insert(
    'identities',
    { issuer: 'https://id.example.test/', subject: 's', person_id: subject, connected_at: at },
    'person_id',
  );
  ids.identity = createHash('sha256').update('https://id.example.test/ s').digest('hex');
  ids.newSignIn = await insert('account_events', { person_id: subject, at, kind: 'signedInNewDevice' });
  await insert('calendar_feeds', {
    token_hash: tokenHash(ownCalendar),
    person_id: subject,
    team: 'codex',
    created_at: at,
  });
  const invite = newToken();
  await insert(
    'account_links',
    {
      token_hash: tokenHash(invite),
      person_id: newcomer,
      kind: 'invite',
      created_at: at,
      expires_at: '2026-11-19T12:00:00Z',
    },
    'person_id',
  );
  const signIn = newToken();
  await insert(
    'sign_in_flows',
    {
      ...{ key_hash: tokenHash(signIn), state: '', nonce: '', verifier: '', person_id: newcomer },
      ...{ address_key: randomBytes(32), created_at: at, expires_at: '2026-11-18T12:05:00Z' },
    },
    'person_id',
  );
  const holder = { person_id: subject, session_id: sessionIdOf(session) };
  return { ids, links: { invite, signIn }, tickets: await makeTickets(insert, holder, ids.importRun, past) };
}

async function sessionOf(base: TestApp, person: string): Promise<{ hash: string; token: string }> {
  const token = await base.signIn(person);
  return { token, hash: tokenHash(token).toString('hex') };
}

/** Good for downloads, by what they are for; each is as it was before after every call. */
async function makeTickets(
  insert: Insert,
  holder: { person_id: string; session_id: string },
  importRun: string,
  past: string,
): Promise<Record<string, string>> {
  const tickets: Record<string, string> = {};
  const make = async (name: string, request: object) => {
    tickets[name] = newToken();
    const row = { token_hash: tokenHash(tickets[name]), ...holder, request: JSON.stringify(request) };
    await insert('export_tickets', { ...row, expires_at: '2026-11-18T12:01:00Z' }, 'person_id');
  };
  await make('audit', { audit: {} });
  await make('people', { people: {} });
  await make('bonus', { bonus: { sprintId: past } });
  await make('report', { importRun });
  for (const [name, request] of Object.entries(exportsByName)) await make(name, request);
  return tickets;
}

const range = { from: '2026-11-01', to: '2026-11-18' } as const;
const metricOf: Readonly<Record<string, string>> = {
  orders: 'gross',
  donations: 'gross',
  affiliate_activity: 'clicks',
  conversations: 'conversations',
  payouts: 'paid',
  payments: 'attempts',
};

/** A dataset with its scope, as the table names it: `orders/connect`. */
export function numbersAsked(name: string): {
  dataset: string;
  scope?: string;
  metric: string;
  from: string;
  to: string;
} {
  const [dataset = '', scope] = name.split('/');
  return { dataset, ...(scope && { scope }), metric: metricOf[dataset] ?? '', ...range };
}

export const scopesOfNumbers = [
  ...['connect', 'green', 'codex', 'bgp'].map((product) => `orders/${product}`),
  ...['free-a-girl', 'operation-underground-railroad', 'who-lives'].map((cause) => `donations/${cause}`),
  ...['affiliate_activity', 'conversations', 'payouts', 'payments'],
] as const;

const exportsByName = Object.fromEntries(scopesOfNumbers.map((name) => [name, numbersAsked(name)]));

async function makeBadTokens(base: TestApp, insert: Insert, people: People): Promise<World['badTokens']> {
  const expired = newToken();
  await insert(
    'sessions',
    { token_hash: tokenHash(expired), person_id: people.admin, created_at: '2026-11-18T10:00:00Z', expires_at: now },
    'person_id',
  );
  const revoked = await base.signIn(people.admin);
  await base.database.pool.query('delete from sessions where token_hash = $1', [tokenHash(revoked)]);
  const invited = newToken();
  const invitee = await base.person({ role: 'admin' });
  const link = { token_hash: tokenHash(invited), person_id: invitee, kind: 'invite', created_at: now };
  await insert('account_links', { ...link, expires_at: '2026-11-19T12:00:00Z' }, 'person_id');
  const disabled = await base.signIn(people.disabled);
  const bad = (header: string, code = 'NOT_SIGNED_IN') => ({ header, code });
  return {
    'nobody signed in': bad(''),
    'a malformed token': bad('Bearer x'),
    'a token without its word': bad(revoked),
    'a token that nobody has': bad(`Bearer ${newToken()}`),
    'an expired token': bad(`Bearer ${expired}`),
    'a token that was revoked': bad(`Bearer ${revoked}`),
    'an invitation that was not accepted': bad(`Bearer ${invited}`),
    'a disabled account': bad(`Bearer ${disabled}`, 'ACCOUNT_DISABLED'),
  };
}
