// What a command is, and the meaning of exit codes.

export const exitCodes = { ok: 0, failed: 1, partly: 2 } as const;

/** Wrong arguments. The command's usage is printed below the message. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** `value` is the value's name in the help; without it the option is a switch. */
export type Option = { readonly value?: string; readonly does: string };

export type Given = {
  readonly parameters: readonly string[];
  readonly text: Readonly<Record<string, string | undefined>>;
  readonly isSet: (option: string) => boolean;
};

export type Command = {
  readonly does: string;
  /** As shown in the usage, such as `EMAIL [ROLE]`. */
  readonly parameters?: string;
  /** How many parameters it takes, at least and at most. */
  readonly takes?: readonly [number, number];
  readonly options?: Readonly<Record<string, Option>>;
  /** More lines for the help. */
  readonly details?: readonly string[];
  /** Returns the exit code; nothing for a server that keeps running. */
  readonly run: (given: Given) => Promise<number | undefined>;
};

/** A command with subcommands. */
export type CommandGroup = {
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly details?: readonly string[];
};

/** `load` imports one command's code, so the others cost nothing. */
export type CommandEntry = {
  readonly does: string;
  readonly load: () => Promise<Command | CommandGroup>;
};
