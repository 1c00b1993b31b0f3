// How a failure reads on the terminal: one line for everything that the operator can fix, for every command alike.
import { BackupFailed } from '../backup/backup.service.ts';
import { RestoreRefused } from '../backup/restore.service.ts';
import { ConfigFaults } from '../config.ts';
import { isUnavailable } from '../db/database-failures.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { ImportError } from '../imports/import-error.ts';
import { FilesUnavailable } from '../outside/files.ts';
import type { Environment } from '../read-variables.ts';
import { settingLine } from '../setting-failures.ts';
import { StartRefused } from '../start-refused.ts';

const expected = [BackupFailed, RestoreRefused, StartRefused, RefusalError, ImportError];

/** Null: nobody expected this one, so all that is known of it is worth printing. */
export function failureLines(error: unknown, env: Environment = process.env): readonly string[] | null {
  if (error instanceof ConfigFaults) return error.lines;
  if (expected.some((kind) => error instanceof kind)) return [(error as Error).message];
  const line = settingLine(error, env);
  if (line !== null) return [line];
  if (error instanceof FilesUnavailable)
    return [[error.message, (error.cause as Error | undefined)?.message].filter(Boolean).join(': ')];
  if (isUnavailable(error)) return [`The database cannot be reached: ${(error as Error).message}`];
  const { port, syscall, message } = error as NodeJS.ErrnoException & { port?: number };
  return syscall === undefined || port !== undefined ? null : [message];
}
