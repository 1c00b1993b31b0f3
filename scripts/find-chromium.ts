// A browser for the journeys: the one that is named, else one of this machine, else one that is fetched.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// Without the last four Chromium calls home at every start, which a closed network refuses one by one.
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Debian's two packages. The first runs without windows only: the journeys take a third less time in it.
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const NAMES = [...PACKAGES, 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function runs(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function onThePath(): string | undefined {
  for (const name of NAMES) {
    const { stdout, status } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (status === 0 && runs(stdout.trim())) return stdout.trim();
  }
  return undefined;
}

function fromDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  console.log('No Chromium here: installing it with apt-get ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) => execFileSync('apt-get', words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of PACKAGES)
    try {
      apt('update', '-qq');
      apt('install', '-y', '-qq', '--no-install-recommends', name);
      return onThePath();
    } catch {
      // An older Debian without this package, no network, or another apt-get at work.
    }
  return undefined;
}

async function fromPackage(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const path = await chromium.executablePath();
    return runs(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The path of a Chromium that runs; throws, in one line, when there is none and none can be fetched. */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM_PATH is "${named}", which does not run.`);
  }
  const found = onThePath() ?? fromDebian() ?? (await fromPackage());
  if (found) return found;
  throw new Error('No Chromium was found: install it and put it on the PATH, or name it in CHROMIUM_PATH.');
}
