// Monthly goals, and a cause's balance.

import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import type { View } from '#web/api/number-view.ts';
import { request } from '#web/api/request.ts';

const goalsDocument = graphql(`
  query NumberGoals($dataset: String!, $scope: String, $month: String!, $currency: String) {
    numberGoals(dataset: $dataset, scope: $scope, month: $month, currency: $currency) {
      metric
      currency
      amount
      actual
      elapsedShare
      pace
    }
  }
`);

const setGoalDocument = graphql(`
  mutation SetNumberGoal(
    $dataset: String!
    $scope: String
    $metric: String!
    $month: String!
    $currency: String
    $amount: String
  ) {
    setNumberGoal(
      dataset: $dataset
      scope: $scope
      metric: $metric
      month: $month
      currency: $currency
      amount: $amount
    ) {
      metric
    }
  }
`);

const balanceDocument = graphql(`
  query DonationBalance($cause: String!, $currency: String) {
    donationBalance(cause: $cause, currency: $currency) {
      currency
      collected
      remitted
      open
    }
  }
`);

export type Goal = ResultOf<typeof goalsDocument>['numberGoals'][number];

export const goalQuery = ({ dataset, scope, currency }: View, metric: string, month: string) =>
  queryOptions({
    queryKey: ['number-goals', dataset, scope, month, currency],
    queryFn: async ({ signal }) =>
      (await request(goalsDocument, { dataset, scope, month, currency }, { signal })).numberGoals,
    select: (goals: readonly Goal[]) => goals.find((goal) => goal.metric === metric) ?? null,
  });

type NewGoal = {
  readonly metric: string;
  readonly month: string;
  /** Null removes the goal. */
  readonly amount: string | null;
};

export const setGoal = ({ dataset, scope, currency }: View, goal: NewGoal) =>
  request(setGoalDocument, { dataset, scope, currency, ...goal });

export const balanceQuery = ({ scope, currency }: View) =>
  queryOptions({
    queryKey: ['donation-balance', scope, currency],
    queryFn: async ({ signal }) =>
      (await request(balanceDocument, { cause: scope ?? '', currency }, { signal })).donationBalance,
  });
