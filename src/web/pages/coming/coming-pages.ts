// The pages whose content is still to come: what each is for, and what will stand there.

type Coming = {
  readonly sentence: string;
  readonly empty: string;
  readonly holds: readonly string[];
};

export const comingPages = {
  userManagement: {
    sentence: 'Everybody with an account: role, team, approvers and access to S.T.A.R.T.',
    empty: 'No people are shown yet',
    holds: [
      'People with and without S.T.A.R.T, moved by a switch',
      'Search, filters and changes for several people at once',
      'Inviting, disabling, passwords and sessions',
      'What each person may do, and where that comes from',
    ],
  },
} as const satisfies Record<string, Coming>;

export type ComingPage = keyof typeof comingPages;
