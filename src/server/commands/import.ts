// `npm run import -- <dataset> FILE --mapping MAPPING`: loads an export of another system into the database.
import { setFlagsFromString } from 'node:v8';

// It may run beside the server on a small machine. Without this V8 takes 150 MB for what loading the modules leaves behind
// and never needs again; it has to be said before they are loaded.
setFlagsFromString('--optimize-for-size');
const { importCommand } = await import('./import-command.ts');
process.exitCode = await importCommand();
