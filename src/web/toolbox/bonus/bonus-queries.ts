// What the bonus page reads and sends.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { readDecimal } from '#core/base/decimals.ts';
import { limits } from '#core/base/limits.ts';
import type { BonusPlan as CorePlan } from '#core/toolbox/bonus.ts';
import { asApiError } from '#web/api/api-error.ts';
import { download } from '#web/api/download.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';

const planDocument = graphql(`
  query BonusPlans {
    getSprints {
      id
      name
      phase
      startDate
      endDate
      settledAt
    }
    bonusPlans {
      id
      version
      from {
        id
        name
        startDate
      }
      base
      currency
      fairHours
      components {
        key
        weight
        from
        full
        cap
      }
      note
      author
      createdAt
    }
    bonusQuestions {
      person {
        id
        displayName
      }
      sprint {
        id
        name
      }
      line
      text
      at
    }
  }
`);

const statementsDocument = graphql(`
  query BonusStatements($userId: ID, $limit: Int, $offset: Int) {
    bonusStatements(userId: $userId, limit: $limit, offset: $offset) {
      id
      sprint {
        id
        name
        startDate
        endDate
      }
      amount
      currency
      planVersion
      corrections
      lines {
        key
        part
        whole
        waived
        amount
        thread
      }
    }
  }
`);

const weekDocument = graphql(`
  query BonusWeek($userId: ID, $sprintId: ID) {
    bonusWeek(userId: $userId, sprintId: $sprintId) {
      person {
        id
        displayName
        email
        team
      }
      sprint {
        id
        name
        startDate
      }
      phase
      settledAt
      plan {
        version
      }
      statement {
        id
        amount
        currency
        planVersion
        team
        corrections
        lines {
          key
          part
          whole
          waived
          amount
          thread
          messages {
            id
            authorName
            isQuestion
            text
            at
          }
        }
      }
      tasks {
        taskId
        title
        status
        statusNow
        carriedOut
        heldUp
        waitedSeconds
        sendBacks
        signOffs
        corrections {
          event
          at
          actorName
        }
      }
    }
  }
`);

const previewDocument = graphql(`
  query BonusPreview($base: String!, $currency: String!, $fairHours: Int!, $components: BonusComponentsInput!) {
    bonusPreview(base: $base, currency: $currency, fairHours: $fairHours, components: $components) {
      sprint {
        name
      }
      paid {
        amount
        currency
        people
      }
      wouldPay {
        amount
        currency
        people
      }
    }
  }
`);

const ticketDocument = graphql(`
  mutation BonusTicket($sprintId: ID!) {
    createBonusTicket(sprintId: $sprintId)
  }
`);

const sayDocument = graphql(`
  mutation AddBonusMessage($statementId: ID!, $line: BonusComponent!, $text: String!) {
    addBonusMessage(statementId: $statementId, line: $line, text: $text) {
      id
    }
  }
`);

const createDocument = graphql(`
  mutation CreateBonusPlan(
    $fromSprintId: ID!
    $base: String!
    $currency: String!
    $fairHours: Int!
    $components: BonusComponentsInput!
    $note: String
    $after: Int!
  ) {
    createBonusPlan(
      fromSprintId: $fromSprintId
      base: $base
      currency: $currency
      fairHours: $fairHours
      components: $components
      note: $note
      after: $after
    ) {
      version
    }
  }
`);

export type BonusOverview = ResultOf<typeof planDocument>;
export type PlanVersion = BonusOverview['bonusPlans'][number];
export type OverviewSprint = BonusOverview['getSprints'][number];
export type PastStatement = ResultOf<typeof statementsDocument>['bonusStatements'][number];
export type BonusWeek = ResultOf<typeof weekDocument>['bonusWeek'];
export type BonusStatement = NonNullable<BonusWeek['statement']>;
export type StatementLine = BonusStatement['lines'][number];
export type StatementTask = BonusWeek['tasks'][number];

const all = ['bonus'] as const;

export const overviewQuery = queryOptions({
  queryKey: [...all, 'plans'],
  queryFn: ({ signal }) => request(planDocument, {}, { signal }),
});

/** All of them: one a week, so a second page comes only after years. */
async function readStatements(userId: string, signal: AbortSignal): Promise<PastStatement[]> {
  const read: PastStatement[] = [];
  for (;;) {
    const page = { userId, limit: limits.page, offset: read.length };
    const { bonusStatements } = await request(statementsDocument, page, { signal });
    read.push(...bonusStatements);
    if (bonusStatements.length < limits.page) return read;
  }
}

export const statementsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...all, 'statements', userId],
    queryFn: ({ signal }) => readStatements(userId, signal),
  });

export const weekQuery = (userId: string, sprintId: string | null) =>
  queryOptions({
    queryKey: [...all, 'week', userId, sprintId],
    queryFn: async ({ signal }) => (await request(weekDocument, { userId, sprintId }, { signal })).bonusWeek,
  });

export type Draft = VariablesOf<typeof previewDocument>;
export type Preview = NonNullable<ResultOf<typeof previewDocument>['bonusPreview']>;

export const previewQuery = (draft: Draft | null) =>
  queryOptions({
    queryKey: [...all, 'preview', draft],
    queryFn: async ({ signal }) => draft && (await request(previewDocument, draft, { signal })).bonusPreview,
    enabled: draft !== null,
    // The last answer stays until the next, so the dialog keeps its height.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

/** The version in effect in the running sprint. */
export function planInEffect({ bonusPlans, getSprints }: BonusOverview): PlanVersion | undefined {
  const current = getSprints.find(({ phase }) => phase === 'active');
  return bonusPlans.find(({ from }) => current && (from.startDate ?? '') <= current.startDate);
}

/** The sprint whose statement opens first: until it settles, people look for what the last one pays. */
export function openingSprint({ bonusPlans, getSprints }: BonusOverview): string | null {
  const pays = ({ startDate }: OverviewSprint) => bonusPlans.some(({ from }) => (from.startDate ?? '') <= startDate);
  const settling = getSprints.find((sprint) => sprint.phase === 'settling' && pays(sprint));
  return (settling ?? getSprints.find(({ phase }) => phase === 'active'))?.id ?? null;
}

/** The plan as the core needs it. */
export function corePlan({ base, currency, fairHours, components }: PlanVersion): CorePlan {
  return {
    base: readDecimal(base) ?? 0n,
    currency,
    fairHours,
    components: Object.fromEntries(components.map(({ key, ...curve }) => [key, curve])) as CorePlan['components'],
  };
}

/** A sprint's recorded statements of everyone the viewer can see, as a file. */
export async function downloadStatements(sprintId: string): Promise<void> {
  download((await request(ticketDocument, { sprintId })).createBonusTicket);
}

type NewMessage = VariablesOf<typeof sayDocument>;

export function useSay() {
  const client = useQueryClient();
  const reread = () => client.invalidateQueries({ queryKey: all });
  const { mutateAsync: say } = useMutation({
    mutationFn: ({ message, key }: { message: NewMessage; key: string }) => request(sayDocument, message, { key }),
    meta: { what: 'Sending the message', quiet: true },
    onSuccess: reread,
  });
  return { say, reread };
}

export type NewPlan = VariablesOf<typeof createDocument>;

export function useCreatePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: NewPlan) => request(createDocument, plan),
    meta: { quiet: true },
    // Not awaited: the dialog closes before it would take its own version for someone else's.
    onSuccess: () => void client.invalidateQueries({ queryKey: all }),
    // Shows what someone else published. After a lost answer, the own version may be there, and the same call
    // again gets its answer.
    onError: (error) => {
      if (asApiError(error).code === 'CONFLICT') void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
    },
  });
}
