// A call of every surface that succeeds for everyone with access: without one, a refusal would prove nothing.
import type { InjectOptions } from 'fastify';
import { login, metricsToken, numbersAsked, scopesOfNumbers, type Thing, unknownId, type World } from './world.ts';

/** Asks a field of the API as the caller of the cell, within it. */
export type Ask = (field: string, variables: object) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: what a test reads from an answer, its expectations check
export type Answer = any;

export type Sample = {
  /** For a field of GraphQL. */
  readonly variables?: (world: World, thing: Thing, ask: Ask) => object | Promise<object>;
  /** For a route. */
  readonly request?: (world: World, thing: Thing) => InjectOptions;
  /** The route finds out by itself who asks: from a form, or from a link, which names its person. */
  readonly credentials?: 'form' | 'link';
  /** Whether the answer holds the thing, for lists that leave out invisible things. */
  readonly holds?: (answer: Answer, thing: Thing, world: World) => boolean;
  /** Where a call leaves a mark though it is refused: what is good once is good once. */
  readonly spends?: string;
  /** The status of a success; 200 or 201 otherwise. */
  readonly status?: number;
};

const nothing: Sample = { variables: () => ({}) };
const of = (variables: NonNullable<Sample['variables']>): Sample => ({ variables });
const taskSample = of((_, { task }) => ({ taskId: task }));
const personSample = of((_, { owner }) => ({ userId: owner }));
const idSample = (name: string) => of(({ ids }) => ({ id: ids[name] }));
/** An import that people see who can read its dataset; of the other things, an import that isn't there. */
const runSample = (argument: string) =>
  of(({ ids, things }, thing) => ({ [argument]: thing === things.own ? ids.importRun : unknownId }));

const components = {
  signedOff: { weight: 50, from: 50, full: 80, cap: 120 },
  firstPass: { weight: 30, from: 50, full: 90, cap: 120 },
  team: { weight: 20, from: 50, full: 80, cap: 120 },
};
const meeting = {
  ...{ title: 'Changed', team: '', attendeeIds: [], weekday: 4, time: '10:30', minutes: 30 },
  ...{ place: '', link: '', agenda: '' },
};
const daysAway = { firstDay: '2026-12-01', lastDay: '2026-12-04' };
const laterDays = { firstDay: '2026-12-08', lastDay: '2026-12-11' };
const card = { title: 'New', group: 'Group', link: 'https://new.example.test' };
const inStats = (
  list: (answer: Answer) => readonly Answer[],
  idOf: (row: Answer) => string,
): NonNullable<Sample['holds']> => {
  return (answer, { owner }) => list(answer).some((row) => idOf(row) === owner);
};

const versionOf = async (ask: Ask, userId: string): Promise<string> =>
  (await ask('Query.managedUser', { userId }))?.version ?? '0'.repeat(32);
const roleNow = async (ask: Ask, id: string | undefined): Promise<number> =>
  (await ask('Query.roles', {}))?.find((role: Answer) => role.id === id)?.version ?? 1;
const updateOf = (who: (world: World) => string, change: object): Sample =>
  of(async (world, _, ask) => ({ userId: who(world), version: await versionOf(ask, who(world)), ...change }));
const saveRole = (permissions: readonly string[]): Sample =>
  of(async ({ ids }, _, ask) => {
    const edits = [{ id: ids.unusedRole, version: await roleNow(ask, ids.unusedRole), permissions }];
    const difference = await ask('Query.roleDifference', { edits });
    return { edits, seen: difference?.seen ?? 'a'.repeat(64) };
  });

/** The same call for every dataset and scope. */
function perScope(
  field: string,
  variables: (asked: ReturnType<typeof numbersAsked>) => object,
): Record<string, Sample> {
  return Object.fromEntries(
    scopesOfNumbers.map((name) => [`${field}[${name}]`, of(() => variables(numbersAsked(name)))]),
  );
}
const countOf: Readonly<Record<string, string>> = { orders: 'lines', donations: 'gifts', payouts: 'payouts' };
const place = ({ dataset, scope, metric }: ReturnType<typeof numbersAsked>) => ({ dataset, scope, metric });

const queries: Record<string, Sample> = {
  callResult: of(() => ({ key: 'none' })),
  ...Object.fromEntries(
    [
      ...['getSprints', 'sprints', 'getTasks', 'tasks', 'getUsers', 'users', 'getLoggedUsers', 'getPermittedUsers'],
      ...[
        'approvers',
        'people',
        'myWeek',
        'inbox',
        'inboxCount',
        'inboxOverview',
        'decided',
        'getIssuesByUserBySprint',
        'sprintStats',
      ],
      'weekRecaps',
      ...[
        'approverManagement',
        'peopleCounts',
        'assignableRoles',
        'managedUsers',
        'peopleToChoose',
        'roles',
        'peopleToExplain',
        'permissionFindings',
      ],
      ...[
        'viewableRoles',
        'qualifiedRoles',
        'qualificationCounts',
        'myRequirements',
        'guidelines',
        'guidelineVersions',
        'guidelineReaders',
        'schedule',
        'nextMeeting',
      ],
      ...[
        'calendarFeeds',
        'myAccount',
        'accessHelp',
        'myApprovers',
        'accountEvents',
        'newSignIns',
        'meetingPeople',
        'bonusPlans',
        'bonusQuestions',
        'myTimer',
        'pinnedNumbers',
        'noticeChoices',
      ],
      ...[
        'notices',
        'unreadNotices',
        'quietHours',
        'sendsMails',
        'importMappings',
        'importRuns',
        'importSources',
        'retentions',
        'toolCards',
        'holidays',
        'auditLog',
        'auditKinds',
        'auditChain',
      ],
      ...['settings', 'serviceTokens', 'troubledMails', 'mySecondFactors'],
    ].map((name) => [name, nothing]),
  ),
  secondFactorsOf: of(({ people }) => ({ id: people.approvee })),
  'getTasks[taskId]': taskSample,
  'tasks[taskId]': taskSample,
  'getTasks[userId]': personSample,
  'tasks[userId]': personSample,
  'getUsers[tasksBySprint]': {
    ...nothing,
    holds: ({ getLoggedUsers, getPermittedUsers }, { task }) =>
      [...getLoggedUsers, ...getPermittedUsers]
        .flatMap(({ tasksBySprint }) => tasksBySprint.flatMap(({ tasks }: Answer) => tasks))
        .some(({ id }) => id === task),
  },
  'getIssuesByUserBySprint[person]': {
    ...nothing,
    holds: inStats(
      (answer) => answer,
      ({ userId }) => userId,
    ),
  },
  'sprintStats[person]': {
    ...nothing,
    holds: inStats(
      ({ employees, employeePage }) => [...employees, ...employeePage.rows],
      ({ person }) => person.id,
    ),
  },
  ...Object.fromEntries(
    ['connect', 'arcade', 'codex', 'green', 'give', 'management'].map((scope) => [
      `sprintStats[${scope}]`,
      of(() => ({ scope })),
    ]),
  ),
  inboxPage: of(() => ({ status: 'INAPPROVAL' })),
  mentionable: taskSample,
  sprintResult: of(({ sprints }, { owner }) => ({ sprintId: sprints.past, userId: owner })),
  absences: personSample,
  delegateChoices: personSample,
  absencePreview: of((_, { owner }) => ({ userId: owner, ...daysAway })),
  pendingItems: of(({ people }) => ({ userIds: [people.approvee] })),
  'pendingItems[title]': {
    variables: (_, { owner }) => ({ userIds: [owner] }),
    holds: (items, { waiting }) => items.find(({ id }: Answer) => id === waiting)?.title != null,
  },
  managedUser: of(({ people }) => ({ userId: people.newcomer })),
  accountTies: of(({ people }) => ({ userId: people.newcomer })),
  leftWithoutApprover: of(({ people }) => ({ role: '', userIds: [people.newcomer] })),
  previewUserChanges: of(({ people }) => ({ change: { team: 'codex' }, users: [{ userId: people.newcomer }] })),
  roleHolders: idSample('role'),
  roleHistory: idSample('role'),
  roleDifference: of(async ({ ids }, _, ask) => ({
    edits: [{ id: ids.unusedRole, version: await roleNow(ask, ids.unusedRole), permissions: [] }],
  })),
  explainedAccess: of(({ people }) => ({ personId: people.newcomer, path: '/sales' })),
  qualifiedPeople: of(() => ({ role: 'Staff' })),
  roleEvidence: of(({ people }) => ({ role: 'Staff', personId: people.approvee })),
  guidelineVersion: of(() => ({ version: 1 })),
  bonusStatements: personSample,
  bonusPreview: of(() => ({ base: '100', currency: 'USD', fairHours: 24, components })),
  bonusWeek: of(({ sprints }, { owner }) => ({ userId: owner, sprintId: sprints.past })),
  timeWeek: of(() => ({ monday: '2026-11-16' })),
  timeWeeks: personSample,
  importRun: runSample('id'),
  importSourceRows: of(() => ({ dataset: 'orders', source: 'going' })),
  referenceRows: of(() => ({ dataset: 'orders', reference: 'going' })),
  retentionPreview: of(() => ({ dataset: 'orders', months: 24 })),
  importUndo: runSample('run'),
  'toolCards[permission]': {
    ...nothing,
    holds: (cards, { note }) => cards.some(({ title }: Answer) => title === note),
  },
  ...perScope('numbers', ({ metric, ...asked }) => ({ ...asked, metrics: [metric] })),
  ...perScope('numberRows', (asked) => asked),
  ...perScope('numberGoals', ({ dataset, scope }) => ({ dataset, scope, month: '2026-11' })),
  ...Object.fromEntries(
    scopesOfNumbers.flatMap((name) => {
      const [dataset, scope] = name.split('/');
      const balance =
        dataset === 'donations' ? [[`donationBalance[${scope}]`, of(() => ({ cause: scope }))] as const] : [];
      return scope ? [...balance, [`dashboardEmbed[${scope}]`, of(() => ({ resource: scope }))] as const] : [];
    }),
  ),
};

const note = (id: 'note' | 'removedNote') => of((_, thing) => ({ taskId: thing.task, noteId: thing[id] }));
const stretch = { start: '2026-11-18T09:00:00Z', end: '2026-11-18T09:30:00Z' };
const anAdmin = ({ admin }: World) => admin;
const newcomer = ({ people }: World) => people.newcomer;

const mutations: Record<string, Sample> = {
  createTask: of((_, { owner }) => ({ userId: owner, title: 'New' })),
  updateTask: of((_, { task }) => ({ id: task, title: 'Changed' })),
  'updateTask[decision]': of((_, { waiting }) => ({ id: waiting, status: 'TODO' })),
  withdrawTask: of((_, { waiting }) => ({ taskId: waiting })),
  carryOver: taskSample,
  moveToSprint: of(({ sprints }, { waiting }) => ({ taskId: waiting, sprintId: sprints.next })),
  leaveUndone: taskSample,
  repeatTask: of((_, { task }) => ({ taskId: task, repeats: 'weekly' })),
  orderTasks: of(({ sprints }, { task }) => ({ sprintId: sprints.current, taskIds: [task] })),
  closeWeek: of(({ sprints }) => ({ sprintId: sprints.current, learned: 'Start earlier' })),
  undoTaskStep: of(async (_, { waiting }, ask) => {
    await ask('Mutation.withdrawTask', { taskId: waiting });
    return { taskId: waiting };
  }),
  undoTaskSteps: of(async (_, { waiting }, ask) => {
    await ask('Mutation.withdrawTask', { taskId: waiting });
    return { taskIds: [waiting] };
  }),
  addNoteToTask: of((_, { task }) => ({ taskId: task, text: 'Another' })),
  editNote: of((_, { task, note: noteId }) => ({ taskId: task, noteId, text: 'Changed' })),
  'editNote[of another]': of((_, { annotated, noteOfAnother }) => ({
    taskId: annotated,
    noteId: noteOfAnother,
    text: 'Changed',
  })),
  removeNoteFromTask: of((_, { task }) => ({ taskId: task, noteIndex: 0 })),
  'removeNoteFromTask[of another]': of((_, { annotated }) => ({ taskId: annotated, noteIndex: 0 })),
  restoreNote: note('removedNote'),
  removeAttachmentFromTask: of((_, { task }) => ({ taskId: task, attachmentIndex: 0 })),
  restoreAttachment: of((_, { task, removedFile }) => ({ taskId: task, attachmentId: removedFile })),
  decideTasks: of((_, { waiting }) => ({ decisions: [{ taskId: waiting, decision: 'approve' }] })),
  undoDecision: of((_, { decided }) => ({ taskId: decided })),
  undoDecisions: of((_, { decided }) => ({ taskIds: [decided] })),
  createUser: of(() => ({ email: 'new@example.test' })),
  'createUser[admin]': of(() => ({ email: 'new@example.test', role: 'admin' })),
  updateUser: updateOf(newcomer, { firstName: 'Nova' }),
  'updateUser[admin]': updateOf(newcomer, { role: 'admin' }),
  'updateUser[grants]': updateOf(newcomer, { permissions: ['VIEW_SALES', 'READ_BGP'] }),
  'updateUser[of an admin]': updateOf(anAdmin, { email: 'other@example.test' }),
  setTop5: of(({ people }) => ({ userId: people.newcomer, on: true })),
  setUserDisabled: of(({ people }) => ({ userId: people.newcomer, disabled: true })),
  'setUserDisabled[of an admin]': of(({ admin }) => ({ userId: admin, disabled: true })),
  askForRole: of(({ people }) => ({ userId: people.roleless, role: 'Unused' })),
  withdrawRoleRequest: of(async ({ people }, _, ask) => {
    const request = { userId: people.roleless, role: 'Unused' };
    await ask('Mutation.askForRole', request);
    return request;
  }),
  declineRole: of(({ people }) => ({ userId: people.newcomer, role: 'Unused' })),
  makeSignInLink: of(({ people }) => ({ userId: people.invitee })),
  'makeSignInLink[of an admin]': of(({ admin }) => ({ userId: admin })),
  removeWayIn: of(({ people, ids }) => ({ userId: people.newcomer, kind: 'session', id: ids.namedSession })),
  'removeWayIn[of an admin]': of(({ admin, ids }) => ({ userId: admin, kind: 'session', id: ids.namedSessionOfAdmin })),
  endSession: of(({ ids }) => ({ id: ids.otherSession })),
  disconnectIdentity: of(({ ids }) => ({ id: ids.identity })),
  signOutEverywhere: of(() => ({ also: ['feeds', 'tokens', 'links', 'identities', 'factors'] })),
  acknowledgeSignIn: idSample('newSignIn'),
  endUserSessions: of(({ people, ids }) => ({ userId: people.newcomer, sessionId: ids.sessionOfOther })),
  'endUserSessions[of an admin]': of(({ admin, ids }) => ({ userId: admin, sessionId: ids.sessionOfAdmin })),
  changeUsers: of(({ people }) => ({ change: { disabled: true }, users: [{ userId: people.newcomer }] })),
  saveAbsence: of((_, { owner }) => ({ userId: owner, ...daysAway })),
  'saveAbsence[delegate]': of(({ admin }, { owner }) => ({ userId: owner, ...laterDays, delegateId: admin })),
  endAbsence: of((_, { absence }) => ({ id: absence })),
  setApprovers: of(({ people, admin }) => ({ changes: [{ userId: people.newcomer, approverIds: [admin] }] })),
  setDefaultApprover: of(({ admin }) => ({ approverId: admin, version: 0 })),
  createRole: of(() => ({ name: 'New', permissions: ['VIEW_DASHBOARD'] })),
  'createRole[USER_MANAGEMENT]': of(() => ({ name: 'New', permissions: ['USER_MANAGEMENT'] })),
  'createRole[VIEW_SALES]': of(() => ({ name: 'New', permissions: ['VIEW_SALES'] })),
  saveRoles: saveRole([]),
  'saveRoles[USER_MANAGEMENT]': saveRole(['VIEW_DASHBOARD', 'VIEW_SALES', 'USER_MANAGEMENT']),
  deleteRole: of(({ ids }) => ({ id: ids.unusedRole, version: 1 })),
  'startViewing[role]': of(() => ({ role: 'Unused' })),
  'startViewing[person]': of(({ people }) => ({ personId: people.newcomer })),
  stopViewing: of((_, { viewing }) => ({ id: viewing })),
  addRequirement: of(() => ({ role: 'Staff', kind: 'training', title: 'New' })),
  updateRequirement: of(({ ids }) => ({ id: ids.requirement, kind: 'training', title: 'Changed', version: 1 })),
  withdrawRequirement: idSample('requirement'),
  restoreRequirement: idSample('withdrawnRequirement'),
  recordEvidence: of(({ ids, people }) => ({
    requirementId: ids.requirement,
    personId: people.approvee,
    day: '2026-11-17',
  })),
  recordEvidenceForPeople: of(({ ids, people }) => ({
    requirementId: ids.requirement,
    personIds: [people.approvee],
    day: '2026-11-17',
  })),
  updateEvidence: of(({ ids }) => ({ id: ids.evidence, day: '2026-11-17', version: 1 })),
  withdrawEvidence: idSample('evidence'),
  withdrawEvidenceOfPeople: of(({ ids }) => ({ ids: [ids.evidence] })),
  restoreEvidence: idSample('withdrawnEvidence'),
  publishGuidelines: of(() => ({ text: 'New text', note: 'Second', basedOn: 1 })),
  confirmGuidelines: of(() => ({ version: 1 })),
  createMeeting: of(({ admin }) => ({ ...meeting, team: 'connect', wholeTeam: true, chairId: admin })),
  removeMeeting: of(({ ids }) => ({ id: ids.meeting, version: 1 })),
  restoreMeeting: idSample('removedMeeting'),
  updateMeeting: of((_, thing) => ({ ...meeting, id: thing.meeting, chairId: thing.owner, version: 1 })),
  changeMeetingOfDay: of((_, thing) => ({ id: thing.meeting, day: '2026-11-26', version: 1 })),
  renamePasskey: of(({ ids }) => ({ id: ids.passkey, name: 'Work laptop' })),
  removePasskey: idSample('passkey'),
  removeAuthenticator: nothing,
  newRecoveryCodes: nothing,
  removeSecondFactor: of(({ people, ids }) => ({
    userId: people.approvee,
    kind: 'passkey',
    passkeyId: ids.passkeyOfOther,
  })),
  resetSecondFactor: of(({ people }) => ({ id: people.approvee })),
  createCalendarFeed: nothing,
  revokeCalendarFeed: of((_, { feed }) => ({ id: feed })),
  createBonusPlan: of(({ sprints }) => ({
    ...{ after: 1, base: '100', currency: 'USD', fairHours: 24, fromSprintId: sprints.next, components },
  })),
  addBonusMessage: of((_, { statement }) => ({ statementId: statement, line: 'team', text: 'And?' })),
  startTimer: taskSample,
  addTime: of((_, { task }) => ({ taskId: task, ...stretch })),
  editTime: of((world, { entry }) => ({ id: entry, taskId: world.things.own.task, ...stretch })),
  removeTime: of((_, { entry }) => ({ id: entry })),
  stopTimer: nothing,
  finishTimeWeek: of(() => ({ monday: '2026-11-16' })),
  reopenTimeWeek: of(() => ({ monday: '2026-11-09' })),
  unpinNumber: of(() => ({ dataset: 'orders', metric: 'gross', scope: 'connect' })),
  chooseNotices: of(() => ({ kind: 'access', inApp: true, mail: false })),
  chooseQuietHours: of(() => ({ on: true, from: '20:00', to: '07:30', daysOff: true })),
  markNotices: of((_, { notice }) => ({ ids: [notice], read: true })),
  seeNotices: of((_, { notice }) => ({ ids: [notice] })),
  markAllNotices: of((_, { notice }) => ({ upTo: notice })),
  saveImportMapping: of((world) => ({ name: 'new', mapping: world.mapping })),
  deleteImportMapping: of(({ things }, thing) => ({ name: thing === things.own ? 'kept' : 'missing' })),
  stopImport: runSample('run'),
  removeImportSource: of(() => ({ dataset: 'orders', source: 'going' })),
  setRetention: of(() => ({ dataset: 'orders', months: 24 })),
  eraseReference: of(() => ({ dataset: 'orders', reference: 'going' })),
  undoImport: runSample('run'),
  createImportReportTicket: runSample('run'),
  createServiceToken: of(() => ({ name: 'New', datasets: ['orders'] })),
  revokeServiceToken: idSample('serviceToken'),
  createToolCard: of(() => card),
  updateToolCard: of(({ ids }) => ({ id: ids.card, title: 'Changed' })),
  moveToolCard: of(({ ids }) => ({ id: ids.card, by: 1 })),
  removeToolCard: idSample('card'),
  restoreToolCard: idSample('removedCard'),
  setToolHealth: of(({ ids }) => ({ id: ids.card, health: 'down' })),
  changeSetting: of(() => ({ key: 'taskLimit', value: '6' })),
  createAuditTicket: nothing,
  createPeopleTicket: nothing,
  createBonusTicket: of(({ sprints }) => ({ sprintId: sprints.past })),
  retryMails: of(({ ids }) => ({ ids: [ids.mail] })),
  ...perScope('exportTicket', (asked) => asked),
  // A count: a goal of money needs rows that tell its currency.
  ...perScope('setNumberGoal', (asked) => ({
    ...place(asked),
    ...{ metric: countOf[asked.dataset] ?? asked.metric, month: '2026-11', amount: '10' },
  })),
  ...perScope('pinNumber', place),
};

const json = (method: 'POST' | 'GET' | 'DELETE', url: string, payload?: object): Sample => ({
  request: () => ({ method, url, ...(payload && { payload }) }),
});
const rowsOfPayments = [
  'order_id,payment_sequential,order_purchase_timestamp,payment_type,payment_value,order_status,payment_installments',
  '1,1,2026-11-02 10:00:00,card,10.00,delivered,1\n',
].join('\n');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const page = (url: string): Sample => json('GET', url);
const boundary = 'xxmatrixxx';

/** The form of an upload as a browser sends it; the token is in a separate field. */
export function uploadForm(taskId: string, authorization: string): Pick<InjectOptions, 'payload' | 'headers'> {
  const part = (head: string, body: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const fields = part('name="authorization"', authorization) + part('name="taskId"', taskId);
  const file = part('name="attachment"; filename="a.txt"\r\nContent-Type: text/plain', 'text');
  return {
    payload: `${fields}${file}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** In the right shape, and of no device. */
const noPasskey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
};

const routes: Record<string, Sample> = {
  ...Object.fromEntries(
    ['/healthz', '/readyz', '/config.json', '/icon.svg', '/icon-180.png', '/manifest.webmanifest', '/robots.txt']
      .concat(['/theme.js'])
      .map((url) => [`GET ${url}`, page(url)]),
  ),
  'GET /assets/*': page('/assets/a.js'),
  'GET /api/auth/user': page('/api/auth/user'),
  'POST /api/auth/sso/confirm': json('POST', '/api/auth/sso/confirm', {}),
  'POST /api/auth/sso/start': json('POST', '/api/auth/sso/start', {}),
  'POST /api/auth/sso/connect': json('POST', '/api/auth/sso/connect', {}),
  'POST /graphql': json('POST', '/graphql', { query: '{ __typename }' }),
  'POST /api/auth/change-password': json('POST', '/api/auth/change-password', {
    password: 'walnut meadow copper tide',
    current: login.password,
  }),
  'POST /api/auth/forgot': json('POST', '/api/auth/forgot', { email: login.email }),
  'POST /api/auth/confirm': json('POST', '/api/auth/confirm', { password: login.password }),
  'POST /api/auth/passkey-sign-in/options': json('POST', '/api/auth/passkey-sign-in/options', {}),
  'POST /api/auth/passkey-sign-in': {
    ...json('POST', '/api/auth/passkey-sign-in', { passkey: noPasskey }),
    status: 403,
  },
  'POST /api/auth/second-step/options': json('POST', '/api/auth/second-step/options', {}),
  // Nothing is left to show in a session that is full.
  'POST /api/auth/second-step': { ...json('POST', '/api/auth/second-step', { code: '000000' }), status: 400 },
  'POST /api/auth/passkeys/options': json('POST', '/api/auth/passkeys/options', {}),
  'POST /api/auth/passkeys': {
    ...json('POST', '/api/auth/passkeys', {
      name: 'Laptop',
      passkey: { ...noPasskey, response: { clientDataJSON: 'e30', attestationObject: 'AA' } },
    }),
    status: 403,
  },
  'POST /api/auth/authenticator/options': json('POST', '/api/auth/authenticator/options', {}),
  'POST /api/auth/authenticator': { ...json('POST', '/api/auth/authenticator', { code: '000000' }), status: 403 },
  'POST /api/auth/link': {
    request: ({ links }) => ({ method: 'POST', url: '/api/auth/link', payload: { token: links.invite } }),
  },
  'POST /api/auth/password': {
    request: ({ links }) => ({
      ...{ method: 'POST', url: '/api/auth/password' },
      payload: { token: links.invite, password: 'walnut meadow copper tide' },
    }),
  },
  'POST /api/auth/login': json('POST', '/api/auth/login', login),
  // A browser that comes back without its cookie is led to the login page, which says so.
  'GET /api/auth/sso/callback': { request: () => ({ method: 'GET', url: '/api/auth/sso/callback' }), status: 303 },
  'POST /api/auth/sso/session': {
    credentials: 'link',
    request: ({ links }) => ({
      ...{ method: 'POST', url: '/api/auth/sso/session', payload: {} },
      headers: { cookie: `__Host-sign-in=${links.signIn}` },
    }),
  },
  // Queries come by POST only: nothing but a socket gets further here.
  'GET /graphql': { request: () => ({ method: 'GET', url: '/graphql' }), status: 400 },
  'POST /api/import/:dataset': {
    request: () => ({
      ...{ method: 'POST', url: '/api/import/payments?mapping=kept&dryRun=1', payload: rowsOfPayments },
      headers: { 'content-type': 'text/csv' },
    }),
  },
  'POST /api/import/:dataset/preview': json('POST', '/api/import/payments/preview', {
    sample: base64('order_id\n1\n'),
  }),
  'POST /attachment': {
    credentials: 'form',
    request: (_, { task }) => ({ method: 'POST', url: '/attachment', query: { task } }),
  },
  'GET /metrics': {
    credentials: 'link',
    request: () => ({ method: 'GET', url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } }),
  },
  'GET /attachment/:id': { credentials: 'link', request: (_, { fileLink }) => ({ method: 'GET', url: fileLink }) },
  'GET /api/calendar/:token.ics': {
    credentials: 'link',
    request: (_, { calendar }) => ({ method: 'GET', url: calendar }),
  },
  'GET /api/audit/export': byTicket('/api/audit/export', 'audit'),
  'GET /api/people/export': byTicket('/api/people/export', 'people'),
  'GET /api/bonus/export': byTicket('/api/bonus/export', 'bonus'),
  'GET /api/import/report': byTicket('/api/import/report', 'report'),
  ...Object.fromEntries(scopesOfNumbers.map((name) => [`GET /api/export[${name}]`, byTicket('/api/export', name)])),
  'POST /api/people/import': json('POST', '/api/people/import', {
    file: base64('email\nnew@example.test\n'),
    dryRun: true,
  }),
};

function byTicket(path: string, name: string): Sample {
  return {
    credentials: 'link',
    spends: 'export_tickets',
    request: ({ tickets }) => ({ method: 'GET', url: `${path}?ticket=${tickets[name]}` }),
  };
}

const named = (type: string, samples: Record<string, Sample>): [string, Sample][] =>
  Object.entries(samples).map(([name, sample]) => [`${type}.${name}`, sample]);

export const samples: ReadonlyMap<string, Sample> = new Map([
  ...named('Query', queries),
  ...named('Mutation', mutations),
  ...Object.entries(routes),
]);
