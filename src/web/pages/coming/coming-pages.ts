// The pages whose content is still to come: what each is for, and what will stand there.

type Coming = {
  readonly sentence: string;
  readonly empty: string;
  readonly holds: readonly string[];
};

export const comingPages = {
} as const satisfies Record<string, Coming>;

export type ComingPage = keyof typeof comingPages;
