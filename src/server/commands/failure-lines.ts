// How failures read on the terminal: one line for everything an operator can fix, the same in every command.
import { BackupFailed } from '#server/admin/backup/backup.service.ts';
import { RestoreRefused } from '#server/admin/backup/check-backup.ts';
import { fullDiskLine, settingLine } from '#server/admin/setting-failures.ts';
import { ConfigFaults } from '#server/platform/config/config.ts';
import type { Environment } from '#server/platform/config/read-variables.ts';
import { isUnavailable } from '#server/platform/db/database-failures.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { StartRefused } from '#server/platform/start-refused.ts';
import { FilesUnavailable } from '#server/platform/storage/files.ts';

const expected = [BackupFailed, RestoreRefused, StartRefused, RefusalError, ImportError];

/** Null for an unexpected failure, which is printed in full. */
export function failureLines(error: unknown, env: Environment = process.env): readonly string[] | null {
  if (error instanceof ConfigFaults) return error.lines;
  if (expected.some((kind) => error instanceof kind)) return [(error as Error).message];
  if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND')
    return ['The build is incomplete. Run: npm run build'];
  const line = settingLine(error, env) ?? fullDiskLine(error);
  if (line !== null) return [line];
  if (error instanceof FilesUnavailable)
    return [[error.message, (error.cause as Error | undefined)?.message].filter(Boolean).join(': ')];
  if (isUnavailable(error)) return [`Can’t reach the database: ${(error as Error).message}`];
  const { port, syscall, message } = error as NodeJS.ErrnoException & { port?: number };
  return syscall === undefined || port !== undefined ? null : [message];
}
