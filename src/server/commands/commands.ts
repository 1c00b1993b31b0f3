// The table of all commands. Each command's code is loaded on demand.
import { setFlagsFromString } from 'node:v8';
import { programVersion } from '#server/platform/program.ts';
import { type CommandGroup, exitCodes } from './command.ts';

export const commands: CommandGroup['commands'] = {
  serve: {
    does: 'Start the server (the default)',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  migrate: {
    does: 'Migrate the database',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  admin: {
    does: 'Manage accounts, settings and the audit log',
    load: async () => (await import('./admin.ts')).adminGroup,
  },
  backup: { does: 'Create a backup', load: async () => (await import('./backup.ts')).backupCommand },
  restore: {
    does: 'Restore a backup into an empty database',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  import: {
    does: 'Import tasks or numbers from a file',
    async load() {
      // Commands may run next to the server on a small machine. This saves the 150 MB that V8 keeps after
      // loading modules, so it must run before that.
      setFlagsFromString('--optimize-for-size');
      return (await import('./import-command.ts')).importCommand;
    },
  },
  check: {
    does: 'Check configuration, database, storage, mail server and identity provider',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  version: {
    does: 'Print the version',
    load: async () => ({
      does: 'Print the version',
      async run() {
        console.log(programVersion());
        return exitCodes.ok;
      },
    }),
  },
};
