// `npm run dev`: the web is built again and the server starts again whenever their files change. Ctrl+C ends
// both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { refuseUnderServer } from './running-server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// It empties dist, which a running server serves.
if (process.env.APP_ENV === 'production') {
  console.error('npm run dev is for development, and this checkout has APP_ENV=production. Use another checkout.');
  process.exit(1);
}
refuseUnderServer(root);

// Emptied first: compressed files of a full build would be outdated, and the next `npm start` builds anew.
const watcher = (await build({
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'warn',
  build: { watch: {}, outDir: join(root, 'dist'), emptyOutDir: true },
})) as Rolldown.RolldownWatcher;
await new Promise<void>((resolve) => {
  watcher.on('event', ({ code }) => {
    if (code === 'END') resolve();
  });
});

const main = join(root, 'src/server/main.ts');
const server = spawn(process.execPath, ['--watch-preserve-output', '--watch', main], { stdio: 'inherit' });
server.once('exit', (code) => process.exit(code ?? 0));

async function end(): Promise<void> {
  await watcher.close();
  // A terminal tells the server too; being told twice does it no harm.
  server.kill('SIGTERM');
  await once(server, 'exit');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());
