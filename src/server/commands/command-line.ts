// Finds the command, reads its options and prints its help. Every command is read this way.
import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { type Command, type CommandGroup, exitCodes, type Given, UsageError } from './command.ts';

const isGroup = (found: Command | CommandGroup): found is CommandGroup => 'commands' in found;
const asksForHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help';

/** Suggests a command for a typo. */
function suggestion(word: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(word, known);
  return distance(word, nearest) <= Math.max(2, Math.floor(nearest.length / 3)) ? `. Did you mean "${nearest}"?` : '';
}

type Print = (line: string) => void;
export type Printing = { readonly out: Print; readonly error: Print };

/** Runs the command in the arguments. `failed` prints an error and returns the exit code. */
export async function runCommandLine(
  path: string,
  found: Command | CommandGroup,
  words: readonly string[],
  print: Printing,
): Promise<number | undefined> {
  try {
    if (!isGroup(found)) return await runCommand(path, found, words, print);
    const [name, ...rest] = words;
    if (asksForHelp(name)) return show(print, groupHelp(path, found));
    const names = Object.keys(found.commands);
    if (name === undefined) throw new UsageError('Name a command');
    if (!Object.hasOwn(found.commands, name))
      throw new UsageError(`Unknown command "${name}"${suggestion(name, names)}`);
    const next = await found.commands[name]!.load();
    return await runCommandLine(`${path} ${name}`, next, rest, print);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print.error(error.message);
    print.error(usageLine(path, found));
    return exitCodes.failed;
  }
}

function show(print: Printing, lines: readonly string[]): number {
  print.out(lines.join('\n'));
  return exitCodes.ok;
}

async function runCommand(
  path: string,
  command: Command,
  words: readonly string[],
  print: Printing,
): Promise<number | undefined> {
  const beforeDashes = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (asksForHelp(words[0]) || beforeDashes.some((word) => word === '--help' || word === '-h'))
    return show(print, commandHelp(path, command));
  assertNotTakenByNpm(command.options);
  return command.run(readGiven(command, words));
}

/** npm takes options before `--` for itself, and leaves a variable for each. `--no-x` is an empty `x`. */
function assertNotTakenByNpm(options: Command['options'] = {}): void {
  const { npm_lifecycle_event: script } = process.env;
  const taken = Object.keys(options).find((name) => {
    const value = process.env[`npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`];
    return name.startsWith('no-') ? value === '' : Boolean(value);
  });
  if (script === undefined || taken === undefined) return;
  const words = script === 'start' ? 'npm start' : `npm run ${script}`;
  throw new UsageError(`npm took --${taken} for itself. Write -- before it: ${words} -- --${taken}`);
}

function readGiven(
  { options = {}, takes: [least, most] = [0, 0], parameters }: Command,
  words: readonly string[],
): Given {
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
  );
  const { tokens } = parseArgs({ args: [...words], options: known, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(known, token.name));
  if (unknown?.kind === 'option') {
    const names = Object.keys(known).map((name) => `--${name}`);
    throw new UsageError(`Unknown option "${unknown.rawName}"${suggestion(unknown.rawName, names)}`);
  }
  const { values, positionals } = parsed(words, known);
  if (positionals.length < least) throw new UsageError(`Missing: ${missingParameters(parameters, positionals.length)}`);
  if (positionals.length > most) throw new UsageError(`Unexpected argument "${positionals[most]}"`);
  return {
    parameters: positionals,
    text: values as Given['text'],
    isSet: (option) => values[option] !== undefined,
  };
}

const missingParameters = (parameters = '', given: number): string => parameters.split(' ').slice(given).join(' ');

function parsed(words: readonly string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
}

const optionWords = ([name, { value }]: [string, { value?: string }]): string => `--${name}${value ? ` ${value}` : ''}`;

function usageLine(path: string, found: Command | CommandGroup): string {
  if (isGroup(found)) return `Usage: ${path} COMMAND. Run "${path} --help" for the list.`;
  const options = Object.entries(found.options ?? {}).map((option) => ` [${optionWords(option)}]`);
  return `Usage: ${path}${found.parameters ? ` ${found.parameters}` : ''}${options.join('')}`;
}

/** Two columns, the first as wide as its longest word. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function commandHelp(path: string, command: Command): string[] {
  const options = Object.entries(command.options ?? {}).map((option) => [optionWords(option), option[1].does] as const);
  return [
    usageLine(path, command),
    '',
    `${command.does}.`,
    ...(command.details ? ['', ...command.details] : []),
    '',
    'Options:',
    ...columns([...options, ['--help', 'Show this help']]),
  ];
}

function groupHelp(path: string, { commands, details }: CommandGroup): string[] {
  return [
    `Usage: ${path} COMMAND [OPTIONS]`,
    '',
    'Commands:',
    ...columns(Object.entries(commands).map(([name, { does }]) => [name, does])),
    ...(details ? ['', ...details] : []),
    '',
    `Run "${path} COMMAND --help" for the options of a command.`,
  ];
}
