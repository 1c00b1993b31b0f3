// What a command is, and what its exit code means.

export const exitCodes = { ok: 0, failed: 1, partly: 2 } as const;

/** Wrong arguments. The usage of the command is printed below the message. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** `value` names the value in the help; without it the option is a switch. */
export type Option = { readonly value?: string; readonly does: string };

export type Given = {
  readonly parameters: readonly string[];
  readonly text: Readonly<Record<string, string | undefined>>;
  readonly isSet: (option: string) => boolean;
};

export type Command = {
  readonly does: string;
  /** As the usage shows them, like `EMAIL [ROLE]`. */
  readonly parameters?: string;
  /** How many parameters it takes, at least and at most. */
  readonly takes?: readonly [number, number];
  readonly options?: Readonly<Record<string, Option>>;
  /** More lines for the help. */
  readonly details?: readonly string[];
  /** Gives the exit code; a server that keeps running gives none. */
  readonly run: (given: Given) => Promise<number | undefined>;
};

/** A command that only chooses between others. */
export type CommandGroup = {
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly details?: readonly string[];
};

/** `load` reads the code of one command, so that the others cost nothing. */
export type CommandEntry = {
  readonly does: string;
  readonly load: () => Promise<Command | CommandGroup>;
};
