// The server as it ships, for tests that start it as a program. From the sources every start takes seconds of
// a core.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServer, builtServer } from '../scripts/build-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
await buildServer(root);

export const builtMain = join(builtServer(root), 'main.js');
