// Imports a file of people: creates new ones and updates existing ones to match. Every row is its own
// transaction; the preview asks the same rules and writes nothing.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminRole, heldPermissions } from '#core/access/access.ts';
import { countWords } from '#core/base/formats.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import {
  type AccountChange,
  type AccountFields,
  type AccountPlan,
  emptyAccount,
  planAccountChange,
  planNewAccount,
} from '#core/people/accounts.ts';
import type { ApproverChoice } from '#core/people/approvers.ts';
import { displayName } from '#core/people/people.ts';
import {
  emailInRow,
  type ImportedPerson,
  inWordsOfTheFile,
  lacksTopFiveUnasked,
  type PeopleRow,
  readPeopleHeader,
  readPeopleRow,
} from '#core/people/people-import.ts';
import { roleToAsk } from '#core/people/role-requests.ts';
import { readAdmins } from '#server/access/roles/lock-admins.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { failureOf } from '#server/platform/graphql/failures.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { openRowsInWorker } from '#server/platform/imports/row-worker-client.ts';
import type { RowSource } from '#server/platform/imports/source-row.ts';
import {
  asksForWatchedTeams,
  type ChangeOptions,
  changeAccount,
  createAccount,
  readApproverFacts,
  readWatchedTeams,
  refusalOfPlan,
  teamsWatchedWith,
  withCurrentCaller,
} from './account-changes.ts';
import { type FieldChange, fieldChanges, namesOf } from './account-words.ts';
import { type ImportedRow, type ImportSummary, summarizeImport } from './people-import-summary.ts';
import { assertQualified } from './qualifications/assignment.service.ts';
import { askForRole, requestRefusal } from './role-requests.service.ts';
import * as store from './users.store.ts';

/** Each row is a change of an account. A larger company sends several files. */
const mostRows = 5_000;

export type PeopleImported = {
  readonly rows: readonly ImportedRow[];
  readonly unused: readonly string[];
  /** How many new people don't use S.T.A.R.T because their rows say nothing about it. */
  readonly withoutTopFive: number;
} & ImportSummary;

type Read = { readonly line: number; readonly email: string; readonly asked: PeopleRow | string };

export async function importPeople(
  context: RequestContext,
  content: Buffer,
  { isDryRun, signal }: { isDryRun: boolean; signal?: AbortSignal },
): Promise<PeopleImported> {
  const roles = await store.readRoles(context.database.drizzle, 'all');
  const { rows, unused } = await readFile(context, content, [adminRole, ...roles.keys()], signal);
  const done: ImportedRow[] = [];
  const people: ImportedPerson[] = [];
  let withoutTopFive = 0;
  const watchedTeams = watchedTeamsInBatches(context, roles);
  const act = isDryRun ? dryRun(context, roles, watchedTeams) : realRun(context, watchedTeams);
  // An approver may come later in the file: such rows wait until everyone they name exists.
  let waiting = rows;
  const namesIn = ({ asked }: Read) => (typeof asked === 'string' ? [] : namedIn(asked));
  const known = await act.knows(waiting.flatMap(namesIn));
  while (waiting.length > 0) {
    const isReady = (row: Read) => namesIn(row).every((email) => known.has(email));
    const [ready, later] = [waiting.filter(isReady), waiting.filter((row) => !isReady(row))];
    for (const { line, email, asked } of ready.length > 0 ? ready : later) {
      // The caller left; imported rows stay, and the file can be sent again.
      signal?.throwIfAborted();
      const { person, ...result } = typeof asked === 'string' ? refused(asked) : await act.take(asked, known);
      done.push({ line, email, ...result });
      if (!person || typeof asked === 'string') continue;
      people.push(person);
      if (person.isNew && lacksTopFiveUnasked(asked, person.fields, roles)) withoutTopFive += 1;
    }
    waiting = ready.length > 0 ? later : [];
    // Nobody else is new: to look up all names again for each row of a chain would take minutes.
    for (const [email, id] of await act.knows(ready.map(({ email }) => email))) known.set(email, id);
  }
  done.sort((a, b) => a.line - b.line);
  return { rows: done, unused, withoutTopFive, ...(await summarizeImport(context, people)) };
}

type Result = Omit<ImportedRow, 'line' | 'email'> & { readonly person?: ImportedPerson };
const refused = (reason: string): Result => ({ outcome: 'refused', reason, changes: [], roleAsked: null });
const namedIn = ({ approvers = [] }: PeopleRow): string[] => approvers.map((email) => email.toLowerCase());

async function readFile(
  { files }: Pick<RequestContext, 'files'>,
  content: Buffer,
  roleNames: readonly string[],
  signal?: AbortSignal,
): Promise<{ rows: Read[]; unused: readonly string[] }> {
  const path = join(files.incoming, randomUUID());
  await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  let source: RowSource | undefined;
  try {
    source = await openRowsInWorker(signal)(path, { name: 'The file' });
    if (source.columns === null) throw new ImportError('This isn’t a CSV or Excel file');
    const header = orThrow(readPeopleHeader(source.columns));
    const rows: Read[] = [];
    const lines = new Map<string, number>();
    for await (const { line, row, fault, aside } of source.rows) {
      if (rows.length === mostRows)
        throw new ImportError(`The file has more than ${countWords(mostRows)} rows. Split it into several files`);
      const asked = row ? readPeopleRow(header, row, roleNames) : refuse('BAD_INPUT', fault ?? aside);
      const email = isRefusal(asked) ? '' : asked.email.toLowerCase();
      const earlier = lines.get(email);
      if (email !== '') lines.set(email, earlier ?? line);
      const reason = isRefusal(asked) ? asked.message : earlier && `${asked.email} is already on line ${earlier}`;
      rows.push({ line, email: row ? emailInRow(header, row) : '', asked: reason || (asked as PeopleRow) });
    }
    return { rows, unused: header.unused };
  } catch (error) {
    if (error instanceof ImportError) throw new RefusalError(refuse('BAD_INPUT', error.message, { field: 'file' }));
    throw error;
  } finally {
    await source?.close();
    await rm(path, { force: true });
  }
}

type Acting = {
  /** The ids of the existing ones of these people, by lowercase email. */
  knows(emails: readonly string[]): Promise<Map<string, string>>;
  take(asked: PeopleRow, known: ReadonlyMap<string, string>): Promise<Result>;
};

type Written = Pick<ImportedRow, 'changes'> & {
  readonly outcome: 'created' | 'changed' | 'unchanged';
  readonly id: string;
  /** After the change. */
  readonly fields: AccountFields;
  readonly setsApprovers?: boolean;
};
type Writing = {
  write(change: AccountChange): Promise<Written | Refusal>;
  /** Asks the admins for the role, or says why not. */
  ask(userId: string, role: string): Promise<Refusal | null>;
};

/** A role that the caller can't give is left out, and the admins are asked for it. */
async function takeRow(
  { viewer }: RequestContext,
  email: string,
  change: AccountChange,
  { write, ask }: Writing,
): Promise<Result> {
  const first = await write(change);
  const isOwn = email.toLowerCase() === viewer.email.toLowerCase();
  const role = isRefusal(first) && !isOwn ? roleToAsk(change, first) : null;
  const rest = role === null ? first : await write({ ...change, role: undefined });
  if (isRefusal(rest)) return refused(inWordsOfTheFile(rest).message);
  const { id, fields, setsApprovers = false, ...done } = rest;
  const refusal = role === null ? null : await ask(id, role);
  const roleAsked = refusal ? null : role;
  const roleWords = refusal ? `not given: ${refusal.message}` : 'not given yet: it needs an admin’s OK';
  const reasons = [
    role && `Role ${role} ${roleWords}`,
    fields.disabled && 'This account is disabled and stays disabled',
  ];
  const person = { id, fields, setsApprovers, isNew: done.outcome === 'created' };
  return { ...done, reason: reasons.filter(Boolean).join('. ') || null, roleAsked, person };
}

type WatchedTeams = (change: AccountChange) => Promise<ReadonlySet<string>>;

const batchRows = 100;

/** Reads them once for many rows, because that looks at everyone, and again after a row that can add one. */
function watchedTeamsInBatches(
  { database, viewer }: RequestContext,
  roles: ReadonlyMap<string, readonly string[]>,
): WatchedTeams {
  let watched: ReadonlySet<string> = new Set();
  let rowsLeft = 0;
  return async (change) => {
    const asks = asksForWatchedTeams(viewer, change);
    if (asks && rowsLeft === 0) {
      watched = await readWatchedTeams(database.drizzle);
      rowsLeft = batchRows;
    }
    const given = [...(roles.get(change.role ?? '') ?? []), ...(change.grants ?? [])];
    const canAdd = teamsWatchedWith(new Set(given)).size > 0;
    rowsLeft = canAdd ? 0 : Math.max(0, rowsLeft - 1);
    return asks ? watched : new Set();
  };
}

/** The change with its approvers as ids, or the first unknown one. */
function withApprovers({ change, approvers }: PeopleRow, known: ReadonlyMap<string, string>) {
  const unknown = approvers?.find((email) => !known.has(email.toLowerCase()));
  if (unknown !== undefined) return refuse('BAD_INPUT', `No account has the approver’s email address ${unknown}`);
  const approverIds = approvers?.map((email) => known.get(email.toLowerCase())!);
  return approverIds ? { ...change, approverIds } : change;
}

async function knownIn(context: RequestContext, emails: readonly string[]): Promise<Map<string, string>> {
  const accounts = await store.readAccountsByEmail(context.database.drizzle, emails);
  return new Map(accounts.map(({ email, id }) => [email.toLowerCase(), id]));
}

function realRun(context: RequestContext, watchedTeams: WatchedTeams): Acting {
  return {
    knows: (emails) => knownIn(context, emails),
    async take(asked, known) {
      const change = withApprovers(asked, known);
      if (isRefusal(change)) return refused(change.message);
      const current = await withCurrentCaller(context);
      return takeRow(current, asked.email, change, {
        write: async (wanted) => {
          const options = { watchedTeams: await watchedTeams(wanted), reason: asked.reason };
          return orRefusal(() => writeRow(current, asked.email, wanted, options));
        },
        ask: async (userId, role) => (await orRefusal(() => askForRole(current, { userId, role }))) ?? null,
      });
    },
  };
}

function writeRow(
  context: RequestContext,
  email: string,
  change: AccountChange,
  options: Pick<ChangeOptions, 'watchedTeams' | 'reason'>,
): Promise<Written> {
  return context.database.transaction(async (queries) => {
    const account = await store.readEmailHolder(queries, email);
    if (!account) {
      const { id, ...made } = await createAccount(queries, context, { ...change, email }, options);
      return writtenOf('created', id, made, await changesInWords(queries, emptyAccount, made));
    }
    const { id } = account;
    const done = await changeAccount(queries, context, id, change, options);
    if (done.kind === 'unchanged') return writtenOf('unchanged', id, { after: account, changed: [] }, []);
    return writtenOf('changed', id, done, await changesInWords(queries, done.before, done));
  });
}

const writtenOf = (
  outcome: Written['outcome'],
  id: string,
  { after, changed }: Pick<AccountPlan, 'after' | 'changed'>,
  changes: Written['changes'],
): Written => ({ outcome, id, fields: after, changes, setsApprovers: changed.includes('approverIds') });

/** `made`: people who are only in a preview, by id. */
async function changesInWords(
  queries: Queries,
  before: AccountFields,
  { after, changed }: Pick<AccountPlan, 'after' | 'changed'>,
  made: ReadonlyMap<string, AccountFields> = new Map(),
): Promise<FieldChange[]> {
  const ids = changed.includes('approverIds') ? [...before.approverIds, ...after.approverIds] : [];
  const stored = ids.filter((id) => !made.has(id));
  const names = await namesOf(queries, stored);
  for (const id of ids) {
    const fields = made.get(id);
    if (fields) names.set(id, displayName(fields));
  }
  return fieldChanges(before, { after, changed: changed.filter((field) => field !== 'email') }, names);
}

/** The id in a preview of someone who would exist by then. */
const newId = (email: string): string => `new:${email.toLowerCase()}`;

async function orRefusal<Done>(act: () => Promise<Done>): Promise<Done | Refusal> {
  try {
    return await act();
  } catch (error) {
    const { refusal, statusCode } = failureOf(error);
    // A lost database or missing proof ends the import; running it again continues.
    if (statusCode >= 500 || refusal.code === 'CONFIRM_IDENTITY') throw error;
    return refusal;
  }
}

function dryRun(
  context: RequestContext,
  roles: ReadonlyMap<string, readonly string[]>,
  watchedTeams: WatchedTeams,
): Acting {
  /** The people who would exist by then, by id. */
  const made = new Map<string, AccountFields>();
  let requests = 0;
  const takesAnAdmin = adminsInPreview(context);
  return {
    async knows(emails) {
      const known = await knownIn(context, emails);
      for (const [id, { email }] of made) known.set(email.toLowerCase(), id);
      return known;
    },
    async take(asked, known) {
      const change = withApprovers(asked, known);
      if (isRefusal(change)) return refused(change.message);
      const queries = context.database.drizzle;
      const account = await store.readEmailHolder(queries, asked.email);
      return takeRow(context, asked.email, change, {
        write: async (wanted) => {
          const ids = wanted.approverIds?.filter((id) => !made.has(id));
          const { candidates, ...others } = await readApproverFacts(queries, context.viewer, ids);
          for (const id of wanted.approverIds ?? []) {
            const fields = made.get(id);
            if (fields) candidates.set(id, candidateOf(id, fields, roles));
          }
          const teams = await watchedTeams(wanted);
          const facts = { ...others, roles, candidates, watchedTeams: teams, control: null };
          const plan = account
            ? planAccountChange(context.viewer, account, wanted, facts)
            : planNewAccount(context.viewer, { ...wanted, email: asked.email }, facts);
          if (isRefusal(plan)) return plan;
          const id = account?.id ?? newId(asked.email);
          if (plan.kind === 'unchanged')
            return writtenOf('unchanged', id, { after: account ?? emptyAccount, changed: [] }, []);
          const lacking =
            (await unqualifiedRefusal(context, account?.id ?? '0', plan, asked.reason)) ??
            (account && (await takesAnAdmin(account, plan)));
          if (lacking) return lacking;
          const changes = await changesInWords(queries, account ?? emptyAccount, plan, made);
          if (!account) made.set(id, { ...emptyAccount, ...plan.after });
          return writtenOf(account ? 'changed' : 'created', id, plan, changes);
        },
        ask: async (_id, role) => {
          const facts = { exists: roles.has(role), earlier: requests };
          const refusal = await requestRefusal(context.database.drizzle, context, account ?? emptyAccount, role, facts);
          if (!refusal) requests += 1;
          return refusal;
        },
      });
    },
  };
}

/** Why a row would take the last admin, after the rows before it, or null. */
function adminsInPreview({ database }: RequestContext) {
  let admins: readonly string[] | null = null;
  return async (account: AccountFields & { readonly id: string }, plan: Pick<AccountPlan, 'after'>) => {
    if (account.role === plan.after.role || ![account.role, plan.after.role].includes(adminRole)) return null;
    admins ??= await readAdmins(database.drizzle);
    const refusal = refusalOfPlan(account.id, account, plan, admins);
    if (refusal) return refusal;
    const others = admins.filter((id) => id !== account.id);
    admins = plan.after.role === adminRole ? [...others, account.id] : others;
    return null;
  };
}

/** A person from an earlier row, as an approver. */
function candidateOf(id: string, fields: AccountFields, roles: ReadonlyMap<string, readonly string[]>): ApproverChoice {
  const { role, grants, disabled } = fields;
  const permissions = heldPermissions(role, [...(roles.get(role ?? '') ?? []), ...grants]);
  return { id, role, disabled, permissions, approverIds: [], approves: false, displayName: displayName(fields) };
}

/** Why the person can't get the role without a reason, or null. */
async function unqualifiedRefusal(
  context: RequestContext,
  personId: string,
  { after: { role }, changed }: AccountPlan,
  reason: string | undefined,
): Promise<Refusal | null> {
  if (!changed.includes('role')) return null;
  const assignment = await orRefusal(() =>
    assertQualified(context.database.drizzle, context, { personId, role, reason }),
  );
  return isRefusal(assignment) ? assignment : null;
}
