// People's absences: saved, ended, previewed, and who decides for them today (D40). The core decides.
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import {
  type Absence,
  type AbsenceEffect,
  type AbsenceWish,
  type AbsentPerson,
  type Away,
  absenceNeedsProof,
  absencesInput,
  canSetAbsences,
  changesDeciders,
  changesOnlyNote,
  type DaySpan,
  type DelegateChoice,
  type DelegateGap,
  delegateChoicesInput,
  delegateProblem,
  delegationsToday,
  endAbsenceInput,
  isOn,
  planAbsence,
  planEnd,
  saveAbsenceInput,
  staleAbsence,
  takesAway,
} from '#core/people/absences.ts';
import { displayName, withNamesakeEmails } from '#core/people/people.ts';
import { assertRecentProof, recordOwnChange, unprovenEdits } from '#server/access/auth/recent-proof.ts';
import { batchedRead } from '#server/platform/batched-read.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { publishToPeople } from '#server/platform/live/live.service.ts';
import { companyDay } from '#server/platform/viewer.ts';
import { type AbsenceChange, absenceHook } from './absence-hook.ts';
import * as store from './absences.store.ts';

type Reading = Pick<Services, 'clock'> & { readonly config: Pick<Config, 'companyTimeZone'> };

const viewerOf = ({ id, role, stored }: { id: string; role: string | null; stored: readonly string[] }): Viewer => ({
  ...{ id, role, permissions: heldPermissions(role, stored), approverIds: [] },
});

const choiceOf = (row: store.CandidateRow): DelegateChoice => ({
  ...viewerOf(row),
  displayName: displayName(row),
  disabled: row.disabled,
});

/** Someone decides for an absent approver today. */
export type Delegation = {
  readonly approverId: string;
  readonly approverName: string;
  readonly delegateId: string;
  readonly until: string;
  readonly absent: Viewer;
};

/** What this person does for absent approvers. */
export function delegationsOf(
  delegations: readonly Delegation[],
  person: Viewer,
): Required<Pick<Viewer, 'delegateOf' | 'delegateIn'>> {
  const own = delegations.filter(({ delegateId }) => delegateId === person.id);
  return delegationsToday(
    { ...person, disabled: false, isAway: false },
    own.map(({ absent }) => absent),
  );
}

function problemOf({ absent, delegate }: store.RunningRow) {
  return delegateProblem(viewerOf(absent), delegate && { ...delegate, ...viewerOf(delegate) });
}

/** The delegates who decide today: all, one, or those of these absent people. */
export async function runningDelegations(
  context: Reading,
  queries: Queries,
  those: { readonly delegateId?: string; readonly personIds?: readonly string[] } = {},
): Promise<Delegation[]> {
  const rows = await store.readRunning(queries, companyDay(context), those);
  return rows.flatMap((row) =>
    row.delegate === null || problemOf(row) !== null
      ? []
      : [
          {
            ...{ approverId: row.absent.id, approverName: displayName(row.absent) },
            ...{ delegateId: row.delegate.id, until: row.until, absent: viewerOf(row.absent) },
          },
        ],
  );
}

/** Who is away today, of these people or all, and who decides for them. `reader`: whose tasks it is about. */
export async function awayToday(
  context: Reading,
  queries: Queries,
  { personIds, reader }: { readonly personIds?: readonly string[]; readonly reader?: string } = {},
): Promise<Map<string, Away>> {
  const rows = await store.readRunning(queries, companyDay(context), personIds ? { personIds } : {});
  return new Map(
    rows.map((row) => {
      const problem = problemOf(row) ?? (row.delegate?.id === reader ? 'own' : null);
      const delegate = problem === null && row.delegate ? displayName(row.delegate) : null;
      return [row.absent.id, { until: row.until, delegate, problem }] as const;
    }),
  );
}

/** The same for one person of a list. */
export const awayPerson = batchedRead((context: RequestContext, personIds) =>
  awayToday(context, context.database.drizzle, { personIds }),
);

const soonDays = 14;

/** When time away that isn't running yet begins, if that is soon. */
export async function awaySoon(
  context: Reading,
  queries: Queries,
  personIds: readonly string[],
): Promise<Map<string, string>> {
  const today = Temporal.PlainDate.from(companyDay(context));
  const [firstDay, lastDay] = [1, soonDays].map((days) => today.add({ days }).toString());
  return new Map(await store.readStarts(queries, personIds, { firstDay: firstDay!, lastDay: lastDay! }));
}

export type ListedAbsence = Omit<store.AbsenceRow, 'delegate' | 'absent'> & {
  readonly delegate: { readonly id: string; readonly displayName: string } | null;
  readonly delegateGap: DelegateGap | null;
};

const listed = ({ delegate, absent, ...row }: store.AbsenceRow): ListedAbsence => ({
  ...row,
  delegate: delegate && { id: delegate.id, displayName: displayName(delegate) },
  delegateGap: gapOf(absent, delegate),
});

function gapOf(absent: store.AbsenceRow['absent'], delegate: store.AbsenceRow['delegate']): DelegateGap | null {
  if (delegate === null) return null;
  const { away } = delegate;
  const problem = delegateProblem(viewerOf(absent), { ...delegate, ...viewerOf(delegate), isAway: away.length > 0 });
  return problem && { problem, away };
}

/** The absences, not ended, with these delegates: what is known of each delegate now. */
export const delegatedAbsences = async (
  context: Reading,
  queries: Queries,
  delegateIds: readonly string[],
): Promise<ListedAbsence[]> => (await store.readDelegated(queries, delegateIds, companyDay(context))).map(listed);

export async function readListedAbsence(context: Reading, queries: Queries, id: string): Promise<ListedAbsence> {
  return listed((await store.readAbsence(queries, id, companyDay(context)))!);
}

/** When this person is away within these days. The caller has checked that the viewer sees the person's week. */
export const daysAwayWithin = (queries: Queries, personId: string, days: DaySpan): Promise<DaySpan[]> =>
  store.readOverlaps(queries, personId, days);

/** The person, if the viewer can set their absences. Others look like nobody. */
async function assertCanSet(queries: Queries, viewer: Viewer, personId: string): Promise<Viewer> {
  const [person] = canSetAbsences(viewer, personId) ? await store.readCandidates(queries, [personId]) : [];
  if (!person) throw new RefusalError(refuse('NOT_FOUND'));
  return viewerOf(person);
}

/** The absences of the caller, or for admins of this person, that haven't ended. */
export async function listAbsences(context: RequestContext, args: object): Promise<ListedAbsence[]> {
  const { viewer, database } = context;
  const { userId = viewer.id } = orThrow(readInput(absencesInput, args));
  await assertCanSet(database.drizzle, viewer, userId);
  return (await store.readPlanned(database.drizzle, userId, companyDay(context))).map(listed);
}

export type ListedChoice = { readonly id: string; readonly displayName: string; readonly email?: string | null };
const mostChoices = 50;

/** People who could be the delegate, by name; none for people who can't decide themselves. */
export async function delegateChoices({ viewer, database }: RequestContext, args: object): Promise<ListedChoice[]> {
  const { userId = viewer.id, name = '' } = orThrow(readInput(delegateChoicesInput, args));
  const absent = await assertCanSet(database.drizzle, viewer, userId);
  const search = { but: userId, name: name.trim(), limit: mostChoices };
  const rows = await store.readChoices(database.drizzle, search);
  const choices = rows.map((row) => ({ ...choiceOf(row), email: row.email }));
  return withNamesakeEmails(choices.filter((one) => delegateProblem(absent, { ...one, isAway: false }) === null));
}

type Facts = { readonly person: AbsentPerson | null; readonly delegate: DelegateChoice | null };

async function readFacts(
  queries: Queries,
  context: RequestContext,
  { personId, delegateId }: { readonly personId: string; readonly delegateId: string | undefined },
  read: typeof store.readCandidates,
): Promise<Facts> {
  const rows = await read(queries, [personId, ...(delegateId ? [delegateId] : [])]);
  const person = rows.find(({ id }) => id === personId);
  const delegate = rows.find(({ id }) => id === delegateId);
  const planned = person ? await store.readPlanned(queries, personId, companyDay(context)) : [];
  return {
    person: person && !person.disabled ? { ...choiceOf(person), planned } : null,
    delegate: delegate ? choiceOf(delegate) : null,
  };
}

/** Saves an absence of the caller, or for admins of anyone. Who decides changes at once. */
export async function saveAbsence(context: RequestContext, args: object): Promise<ListedAbsence> {
  const { userId: personId = context.viewer.id, ...wish } = orThrow(readInput(saveAbsenceInput, args));
  const { viewer, database } = context;
  return database.transaction(async (queries) => {
    if (!canSetAbsences(viewer, personId)) throw new RefusalError(refuse('NOT_FOUND'));
    const { person, delegate } = await readFacts(
      queries,
      context,
      { personId, delegateId: wish.delegateId },
      store.lockPeople,
    );
    const plan = orThrow(planAbsence(viewer, person, wish, delegate, companyDay(context)));
    if (plan.kind === 'unchanged') return readListedAbsence(context, queries, plan.absence.id);
    if (absenceNeedsProof(person as AbsentPerson, plan)) await assertRecentProof(queries, context);
    const absenceId = await store.writeAbsence(queries, personId, plan.after);
    const after = { ...plan.after, id: absenceId };
    await recordChange(context, queries, {
      action: 'absenceSaved',
      ...{ absenceId, personId, person: (person as AbsentPerson).displayName, before: plan.before, after },
      delegate: (await readListedAbsence(context, queries, absenceId)).delegate?.displayName ?? null,
    });
    return readListedAbsence(context, queries, absenceId);
  });
}

/** Ends an absence now, or deletes one that didn't begin. */
export async function endAbsence(context: RequestContext, args: object): Promise<boolean> {
  const { id, version } = orThrow(readInput(endAbsenceInput, args));
  const { viewer, database } = context;
  await database.transaction(async (queries) => {
    const found = await store.readAbsence(queries, id, companyDay(context));
    if (!found || !canSetAbsences(viewer, found.personId)) throw new RefusalError(refuse('NOT_FOUND'));
    const [person] = await store.lockPeople(queries, [found.personId]);
    const absence = await store.readAbsence(queries, id, companyDay(context));
    if (!absence || !person) throw new RefusalError(refuse('NOT_FOUND'));
    const end = planEnd(absence, companyDay(context));
    if (end === 'unchanged') return;
    const stale = staleAbsence(absence, version);
    if (stale) throw new RefusalError(stale);
    if (changesDeciders(viewerOf(person), absence, null)) await assertRecentProof(queries, context);
    await store.shortenAbsence(queries, id, end === 'delete' ? null : end.lastDay);
    await recordChange(context, queries, {
      action: 'absenceEnded',
      ...{ absenceId: id, personId: absence.personId, person: displayName(person), before: absence, after: null },
      delegate: null,
    });
  });
  return true;
}

/** The audit entry, the delegates' notifications, and news for open pages. */
async function recordChange(
  context: RequestContext,
  queries: Queries,
  { action, ...change }: AbsenceChange & { readonly action: string },
): Promise<void> {
  const { personId, before, after } = change;
  const valuesOf = ({ firstDay, lastDay, delegateId }: Absence) => ({ firstDay, lastDay, delegateId });
  const entry = {
    ...{ action, subjectType: 'person', subjectId: personId },
    ...(before && { before: valuesOf(before) }),
    ...(after && { after: valuesOf(after) }),
  };
  await recordOwnChange(queries, context, entry, {
    ...(personId !== context.viewer.id && { mostPerHour: 500, unproven: 10 }),
    ...(takesAway(before, after) && { unproven: unprovenEdits, countedWith: 'absenceEnded' }),
  });
  await absenceHook.handlers().absenceChanged(context, queries, change);
  if (changesOnlyNote(before, after)) return;
  await publishToPeople(context.live, queries, 'approversChanged', await concernedBy(context, queries, change));
}

/** The delegates, and who has this person as one. If it changes today, also everyone they approve. */
async function concernedBy(
  context: RequestContext,
  queries: Queries,
  { personId, before, after }: Pick<AbsenceChange, 'personId' | 'before' | 'after'>,
): Promise<ReadonlySet<string>> {
  const today = companyDay(context);
  const absent = [personId, ...(await store.readDelegated(queries, [personId], today)).map((row) => row.personId)];
  const isToday = [before, after].some((one) => one !== null && isOn(one, today));
  const approvees = isToday ? await store.readApprovees(queries, absent) : [];
  const delegates = [before?.delegateId, after?.delegateId].filter((id) => id != null);
  return new Set([...absent, ...delegates, ...approvees]);
}

/** Ended absences are kept this long. Histories keep who decided for an absent approver. */
const keptDays = 90;

export async function removeEndedAbsences({
  database,
  ...services
}: Reading & Pick<Services, 'database'>): Promise<void> {
  const day = Temporal.PlainDate.from(companyDay(services)).subtract({ days: keptDays });
  await store.deleteEndedBefore(database.drizzle, day.toString());
}

export type PreviewedAbsence = { readonly refusal: Refusal | null; readonly effect: AbsenceEffect | null };

/** What saving this absence would do, or why it is refused. */
export async function previewAbsence(context: RequestContext, args: object): Promise<PreviewedAbsence> {
  const { userId: personId = context.viewer.id, ...wish } = orThrow(readInput(saveAbsenceInput, args));
  const { viewer, database } = context;
  const queries = database.drizzle;
  await assertCanSet(queries, viewer, personId);
  const asked = { personId, delegateId: wish.delegateId };
  const facts = await readFacts(queries, context, asked, store.readCandidates);
  const plan = planAbsence(viewer, facts.person, wish, facts.delegate, companyDay(context));
  if (isRefusal(plan)) return { refusal: plan, effect: null };
  // What is left out stays, so the delegate is the one that saving would keep.
  const { delegateId } = plan.kind === 'unchanged' ? plan.absence : plan.after;
  const [row] = delegateId === null ? [] : await store.readCandidates(queries, [delegateId]);
  const delegate = row ? choiceOf(row) : null;
  return { refusal: null, effect: await effectOf(queries, context, { ...facts, delegate }, wish) };
}

async function effectOf(
  queries: Queries,
  context: RequestContext,
  { person, delegate }: Facts,
  { firstDay, lastDay }: AbsenceWish,
): Promise<AbsenceEffect> {
  const { id, displayName: name } = person as AbsentPerson;
  const delegated = await store.readDelegated(queries, [id], companyDay(context), { firstDay, lastDay });
  const { personIds, ...counts } = await store.readEffect(queries, id, delegate?.id ?? null);
  return {
    ...{ firstDay, lastDay, ...counts, people: personIds.length },
    name: id === context.viewer.id ? null : name,
    delegate: delegate?.displayName ?? null,
    delegateAway: delegate ? await store.readOverlaps(queries, delegate.id, { firstDay, lastDay }) : [],
    delegateFor: delegated
      .filter((one) => gapOf(one.absent, one.delegate && { ...one.delegate, away: [] }) === null)
      .map((one) => ({
        name: displayName(one.absent),
        firstDay: one.firstDay < firstDay ? firstDay : one.firstDay,
        lastDay: one.lastDay > lastDay ? lastDay : one.lastDay,
      })),
  };
}
