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
  approverManagement: {
    sentence: 'Who approves whose tasks.',
    empty: 'No approvers are shown yet',
      'Approvers of each person, and people of each approver',
      'How much waits on each approver',
      'Warnings where an approver cannot approve',
    ],
  },
  guidelines: {
    sentence: 'How S.T.A.R.T works, in the version that holds now.',
    empty: 'No guidelines are published yet',
      'The guidelines with their versions',
      'What each status means',
      'Your confirmation that you have read them',
    ],
  },
  schedule: {
    sentence: 'The meetings of the week, in the company’s time and in yours.',
    empty: 'No meetings are planned yet',
      'The week with its meetings, and which one is next',
      'Team, chair, place and agenda of each',
      'A calendar feed for your own calendar',
    ],
  },
  bonus: {
    sentence: 'How the bonus is worked out, and your own statement.',
    empty: 'No bonus plan is published yet',
      'The plan in words with a worked example',
      'Your statement, each line with the tasks behind it',
      'What a different week would have made of it',
    ],
  },
} as const satisfies Record<string, Coming>;

export type ComingPage = keyof typeof comingPages;
