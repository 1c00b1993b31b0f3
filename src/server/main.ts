// The executable: `staff-dashboard COMMAND`, the same in a checkout, in the image and under systemd. Serves
// by default.
import 'temporal-polyfill/global';
import { exitCodes } from '#server/commands/command.ts';
import { runCommandLine } from '#server/commands/command-line.ts';
import { commands } from '#server/commands/commands.ts';

const program = 'staff-dashboard';

const printing = {
  out: (line: string) => console.log(line),
  error: (line: string) => console.error(line),
};

// Printing fails where a reader ends early, such as `head`, or the log's disk is full. That ends nothing.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const [first = 'serve', ...rest] = process.argv.slice(2);
const words = [first === '--version' ? 'version' : first, ...rest];
try {
  const code = await runCommandLine(program, { commands }, words, printing);
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  const { failureLines } = await import('#server/commands/failure-lines.ts');
  const lines = failureLines(error);
  if (lines) for (const line of lines) console.error(line);
  else console.error(error);
  process.exitCode = exitCodes.failed;
}
