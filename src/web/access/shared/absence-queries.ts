// What pages read and send about time away: one's own, or for admins someone else's.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const absencesDocument = graphql(`
  query Absences($userId: ID!) {
    absences(userId: $userId) {
      id
      firstDay
      lastDay
      note
      version
      delegate { id displayName }
      delegateGap { problem away { firstDay lastDay } }
    }
  }
`);
const choicesDocument = graphql(`
  query DelegateChoices($userId: ID!, $name: String!) {
    delegateChoices(userId: $userId, name: $name) { id displayName email }
  }
`);
const previewDocument = graphql(`
  query AbsencePreview($id: ID, $userId: ID!, $firstDay: String!, $lastDay: String!, $note: String, $delegateId: ID, $version: Int) {
    absencePreview(id: $id, userId: $userId, firstDay: $firstDay, lastDay: $lastDay, note: $note, delegateId: $delegateId, version: $version) {
      refusal
      effect {
        firstDay
        lastDay
        name
        people
        waiting
        delegate
        approvesDelegate
        delegateAway { firstDay lastDay }
        delegateFor { name firstDay lastDay }
      }
    }
  }
`);
const saveDocument = graphql(`
  mutation SaveAbsence($id: ID, $userId: ID!, $firstDay: String!, $lastDay: String!, $note: String, $delegateId: ID, $version: Int) {
    saveAbsence(id: $id, userId: $userId, firstDay: $firstDay, lastDay: $lastDay, note: $note, delegateId: $delegateId, version: $version) {
      id
    }
  }
`);
const endDocument = graphql(`
  mutation EndAbsence($id: ID!, $version: Int!) {
    endAbsence(id: $id, version: $version)
  }
`);

export type Absence = ResultOf<typeof absencesDocument>['absences'][number];
type Wish = VariablesOf<typeof saveDocument>;

export const companyToday = (): string => Temporal.Now.plainDateISO(config().companyTimeZone).toString();

const key = ['absences'] as const;
/** Who decides changes with an absence. */
const touches = [key, ['people'], ['tasks'], ['inbox']];

export const absencesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...key, userId],
    queryFn: async ({ signal }) => (await request(absencesDocument, { userId }, { signal })).absences,
  });

/** People are searched on the server: there may be thousands. */
export const choicesQuery = (userId: string, name: string) =>
  queryOptions({
    queryKey: [...key, 'choices', userId, name],
    queryFn: async ({ signal }) => (await request(choicesDocument, { userId, name }, { signal })).delegateChoices,
    placeholderData: keepPreviousData,
  });

/** Disabled until both days are chosen. */
export const previewQuery = (wish: Wish) =>
  queryOptions({
    queryKey: [...key, 'preview', wish],
    queryFn: async ({ signal }) => (await request(previewDocument, wish, { signal })).absencePreview,
    enabled: wish.firstDay !== '' && wish.lastDay !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export const useSaveAbsence = (onDone: () => void) =>
  useChange({
    send: async (wish: Wish) => (await request(saveDocument, wish)).saveAbsence,
    touches,
    meta: { quiet: true },
    onDone,
    done: () => ({ message: 'Time away saved' }),
  });

const restore = (userId: string, { firstDay, lastDay, note, delegate }: Absence) =>
  request(saveDocument, { userId, firstDay, lastDay, note, ...(delegate && { delegateId: delegate.id }) });

/** What begins today or later is deleted, and comes back by Undo. */
export const useEndAbsence = (userId: string, onDone: () => void) =>
  useChange({
    send: ({ id, version }: Absence) => request(endDocument, { id, version }),
    touches,
    onDone,
    done: (_data, absence) => ({
      message: absence.firstDay > companyToday() ? 'Time away deleted' : 'Time away ended',
      ...(absence.firstDay >= companyToday() && {
        undo: () => restore(userId, absence),
        undone: 'Time away restored',
      }),
    }),
  });
