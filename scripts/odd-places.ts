// Clones the checkout into odd places, as root and as an ordinary user, and runs both commands of the README
// there with a real installation: npm run odd-places [-- --tests]. Without --tests only `npm start`. Takes
// minutes a place.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/server/platform/db/postmaster.ts';
import { signInOver } from '../test/server-process.ts';

type Place = {
  readonly name: string;
  /** The clone goes into a separate folder below. */
  readonly below: string;
  readonly path: string;
  readonly user?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** As many processes that do nothing but compute run beside it. */
  readonly burners?: number;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const isRoot = process.getuid?.() === 0;
const withTests = process.argv.includes('--tests');
const ordinary = 65_534;
const longPath = `a folder with spaces, ünïcödé 名 and ${'a long name '.repeat(6)}`;

const places: readonly Place[] = [
  { name: 'home', below: homedir(), path: 'clone' },
  { name: 'long path with spaces and other letters', below: '/tmp', path: longPath },
  {
    name: 'no TMPDIR and no HOME',
    below: '/tmp',
    path: 'clone',
    env: { TMPDIR: '/nonexistent/tmp', HOME: '/nonexistent' },
  },
  { name: 'busy machine', below: '/tmp', path: 'clone', burners: 4 * availableParallelism() },
  ...(isRoot
    ? [{ name: 'ordinary user', below: '/tmp', path: 'clone', user: ordinary, env: { HOME: '/nonexistent' } }]
    : []),
];

function npm({ user, env }: Place, cwd: string, words: readonly string[], more: Record<string, string> = {}) {
  const own = user === undefined ? {} : { uid: user, gid: user };
  const { PATH, HOME = '' } = process.env;
  const child = spawn('npm', words, {
    cwd,
    ...own,
    env: { PATH, HOME, ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, said: () => said, ended };
}

async function tryStart(place: Place, checkout: string): Promise<string | null> {
  const server = npm(place, checkout, ['start'], { PORT: String(await freePort()) });
  for (;;) {
    const [, url] = / is at (http:\S+)/.exec(server.said()) ?? [];
    if (url) {
      await signInOver(url, { email: 'admin@demo.test', password: 'top-5-demo' });
      break;
    }
    if (await Promise.race([server.ended.then(() => true), sleep(100, false)])) return server.said();
  }
  server.child.kill('SIGTERM');
  await server.ended;
  return null;
}

async function tryPlace(place: Place): Promise<string | null> {
  const folder = mkdtempSync(join(place.below, 'odd-'));
  const checkout = join(folder, place.path);
  const burners = Array.from({ length: place.burners ?? 0 }, () => spawn('sh', ['-c', 'while :; do :; done']));
  try {
    mkdirSync(checkout, { recursive: true });
    execFileSync('git', ['clone', '--quiet', root, checkout]);
    if (place.user !== undefined) {
      chmodSync(folder, 0o755);
      execFileSync('chown', ['-R', `${place.user}:${place.user}`, checkout]);
      chownSync(folder, place.user, place.user);
    }
    const failure = await tryStart(place, checkout);
    if (failure !== null || !withTests) return failure;
    const tests = npm(place, checkout, ['test']);
    return (await tests.ended) === 0 ? null : tests.said();
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
    const data = join(checkout, 'data');
    if (existsSync(data)) rmSync(realpathSync(data), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
console.log(`version ${version}, ${isRoot ? 'as root' : 'as an ordinary user'}`);
for (const place of places) {
  const failure = await tryPlace(place);
  console.log(`${failure === null ? '✓' : '✗'} ${place.name}`);
  if (failure !== null) {
    process.exitCode = 1;
    console.log(failure.split('\n').slice(-40).join('\n'));
  }
}
