// How every command reads its arguments, tested with a small table and the real program.
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { builtMain } from '../../../test/built-server.ts';
import { adminGroup } from './admin.ts';
import { type Command, type CommandGroup, exitCodes, type Given } from './command.ts';
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

const received: Given[] = [];
const copy: Command = {
  does: 'Copy a thing',
  parameters: 'FROM [TO]',
  takes: [1, 2],
  options: {
    label: { value: 'TEXT', does: 'Label the copy' },
    force: { does: 'Overwrite' },
    'no-log': { does: 'Write no log' },
  },
  details: ['Exit code 2: only a part was copied.'],
  async run(given) {
    received.push(given);
    return exitCodes.partly;
  },
};
const inner: CommandGroup = { commands: { copy: { does: copy.does, load: async () => copy } } };
const root: CommandGroup = {
  commands: {
    copy: { does: copy.does, load: async () => copy },
    files: { does: 'Work with files', load: async () => inner },
  },
};

async function run(...given: (string | readonly [string, CommandGroup])[]) {
  const words = given.filter((word) => typeof word === 'string');
  const [[path, group] = ['tool', root] as const] = given.filter((word) => typeof word !== 'string');
  const printed = { out: [] as string[], error: [] as string[] };
  const code = await runCommandLine(path, group, words, {
    out: (line) => printed.out.push(line),
    error: (line) => printed.error.push(line),
  });
  return { code, out: printed.out.join('\n'), error: printed.error };
}

const copyUsage = 'Usage: tool copy FROM [TO] [--label TEXT] [--force] [--no-log]';
beforeEach(() => vi.stubEnv('npm_lifecycle_event', undefined));
afterEach(() => vi.unstubAllEnvs());

describe('a mistake gets one line, the usage and exit code 1', () => {
  const listUsage = 'Usage: tool COMMAND. Run "tool --help" for the list.';
  it.each<[string[], string, string]>([
    [[], 'Name a command', listUsage],
    [['coppy'], 'Unknown command "coppy". Did you mean "copy"?', listUsage],
    [['remove'], 'Unknown command "remove"', listUsage],
    [['constructor'], 'Unknown command "constructor"', listUsage],
    [
      ['files', 'copi'],
      'Unknown command "copi". Did you mean "copy"?',
      'Usage: tool files COMMAND. Run "tool files --help" for the list.',
    ],
    [['copy'], 'Missing: FROM [TO]', copyUsage],
    [['copy', 'a', 'b', 'c'], 'Unexpected argument "c"', copyUsage],
    [['copy', 'a', '--lable', 'x'], 'Unknown option "--lable". Did you mean "--label"?', copyUsage],
    [['copy', 'a', '--quickly'], 'Unknown option "--quickly"', copyUsage],
    [['copy', 'a', '-1'], 'Unknown option "-1"', copyUsage],
    [['copy', 'a', '--label'], "Option '--label <value>' argument missing", copyUsage],
    [['copy', 'a', '--force=yes'], "Option '--force' does not take an argument", copyUsage],
  ])('%j', async (words, message, usage) => {
    expect(await run(...words)).toEqual({ code: 1, out: '', error: [message, usage] });
    expect(received).toEqual([]);
  });
});

it.each([
  ['files', 'npm_config_force', 'true', 'npm took --force for itself. Write -- before it: npm run files -- --force'],
  ['files', 'npm_config_label', 'x', 'npm took --label for itself. Write -- before it: npm run files -- --label'],
  ['start', 'npm_config_log', '', 'npm took --no-log for itself. Write -- before it: npm start -- --no-log'],
])('an option that npm %s took is refused: %s=%s', async (script, name, value, message) => {
  vi.stubEnv(name, value);
  expect(await run('copy', 'a')).toMatchObject({ code: 2 });
  received.pop();
  vi.stubEnv('npm_lifecycle_event', script);
  expect(await run('copy', 'a')).toEqual({ code: 1, out: '', error: [message, copyUsage] });
  expect(received).toEqual([]);
});

it('a command gets its parameters and options, and its exit code is passed on', async () => {
  expect(await run('files', 'copy', 'a', '--label', 'x', '--force', '--', '--help')).toMatchObject({
    code: 2,
    error: [],
  });
  const given = received.pop();
  expect(given).toMatchObject({ parameters: ['a', '--help'], text: { label: 'x' } });
  expect([given?.isSet('force'), given?.isSet('label'), given?.isSet('other')]).toEqual([true, true, false]);
});

it.each([
  ['--help'],
  ['-h'],
  ['help'],
  ['files', '--help'],
  ['copy', '--help'],
  ['copy', 'a', '--help'],
  ['files', 'copy', '-h'],
])('help is there for %s %s %s', async (...words) => {
  const { code, out, error } = await run(...words);
  expect([code, error]).toEqual([0, []]);
  expect(out).toMatch(/^Usage: tool/);
  expect(out).toContain('opy a thing');
});

describe('staff-dashboard', () => {
  const program = (...words: string[]) =>
    spawnSync(process.execPath, [builtMain, ...words], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  it('has help for every command, without a database', async () => {
    const all = Object.keys(commands);
    expect(all).toEqual(
      expect.arrayContaining(['serve', 'migrate', 'admin', 'backup', 'restore', 'import', 'check', 'version']),
    );
    const paths = [...all.map((name) => [name]), ...Object.keys(adminGroup.commands).map((name) => ['admin', name])];
    expect(paths.length).toBeGreaterThan(all.length + 10);
    for (const path of paths) {
      const { code, out, error } = await run(['staff-dashboard', { commands }], ...path, '--help');
      expect([code, error]).toEqual([0, []]);
      expect(out).toContain(`Usage: staff-dashboard ${path.join(' ')}`);
    }
  });

  it('ends as always where nobody reads what it prints', () => {
    const script = '{ "$0" "$1" version; echo $? >&2; } | true';
    const { stderr } = spawnSync('sh', ['-c', script, process.execPath, builtMain], { encoding: 'utf8' });
    expect(stderr).toBe('0\n');
  });

  it('says what it does not understand in one line, with the nearest command', () => {
    const { status, stdout, stderr } = program('bakup');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'Unknown command "bakup". Did you mean "backup"?\nUsage: staff-dashboard COMMAND. Run "staff-dashboard --help" for the list.\n',
    );
  });
});
