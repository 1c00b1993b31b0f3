// The manual works: its blocks run in order, as an operator would paste them, and end with an admin who signs
// in over HTTPS.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseEnvFile } from '../../scripts/env-file.mjs';
import { readConfig } from '../../src/server/platform/config/config.ts';
import { freePort } from '../../src/server/platform/db/postmaster.ts';
import { copyCheckout } from '../checkout-copy.ts';
import { openFolder } from '../database-folder.ts';
import { root, textOf } from '../house/source.ts';
import { needs, skipFor } from '../needs.ts';
import { type OutsidePostgres, outsidePrograms, startOutsidePostgres } from '../outside-postgres.ts';
import { noTls, startTlsProxy, type TlsProxy } from '../tls-proxy.ts';

type Kind = 'embedded' | 'outside';
type Block = { readonly section: string; readonly kind: Kind | 'both'; readonly text: string };

const sections = ['Going to production', 'Backup and restore', 'Upgrade', 'Two servers', 'Rotate a secret'];

function blocksOf(manual: string): Block[] {
  return manual.split(/^## /m).flatMap((part) => {
    const section = part.split('\n')[0] as string;
    return [...part.matchAll(/^```sh manual ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({
      section,
      kind: (kind || 'both') as Block['kind'],
      text,
    }));
  });
}

/** The blocks of another kind, which run after those. */
const blocksNamed = (name: string, document: string): string[] =>
  [...textOf(document).matchAll(new RegExp(`^\`\`\`sh ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

const blocks = blocksOf(textOf('docs/production.md'));

test('the manual has commands for each of its five tasks', () => {
  expect([...new Set(blocks.map(({ section }) => section))]).toEqual(sections);
});

test('to go to production takes ten commands at most', () => {
  const commands = blocks.filter(({ section, kind }) => section === 'Going to production' && kind === 'both');
  const withoutFile = commands.map(({ text }) => text.replace(/<<END\n[\s\S]*?\nEND\n/, '\n')).join('');
  expect(withoutFile.trim().split('\n').length).toBeLessThanOrEqual(10);
});

/** A checkout with its origin, and what stands for the product in it. */
function smallCheckout(name: string) {
  const folder = openFolder(name);
  const checkout = join(folder, 'checkout');
  const run = (words: string, cwd = checkout, user = {}) => {
    const env = { PATH: [join(folder, 'programs'), process.env.PATH].join(delimiter), HOME: folder };
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-uo', 'pipefail', '-c', words], {
      ...{ cwd, env, encoding: 'utf8', ...user },
    });
    return { status, said: `${stdout}${stderr}` };
  };
  const addFile = (file: string, content: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content, { mode: 0o700 });
  };
  addFile(
    'checkout/bin/staff-dashboard',
    `#!/bin/sh
     case $1 in backup) new="$2/$(date +%s%N)Z"; mkdir -p "$new" && touch "$new/manifest.json"; exit ;; esac
     [ "$2" != --help ] || exit 0
     [ ! -e "closed$PORT" ] || exit 1
     echo " is at http"
     sleep 1000 & wait`,
  );
  addFile(
    'programs/npm',
    `#!/bin/sh
     # As where the packages can't be installed.
     [ ! -e broken ] || exit 1
     case $2 in
       backup) [ ! -e newer ] && mkdir -p "$4/$(date +%s%N)Z" ;;
       restore) echo "$4" >> restored ;;
       build) mkdir -p build dist node_modules && git rev-parse HEAD > build/commit ;;
     esac`,
  );
  for (const file of [
    'examples/server.sh',
    'examples/upgrade-two-servers.sh',
    'examples/systemd/staff-dashboard.service',
    'scripts/env-file.mjs',
    'scripts/keep-link-secret.mjs',
    'scripts/read-setting.mjs',
  ])
    addFile(join('checkout', file), textOf(file));
  addFile(
    'checkout/examples/systemd/restore.sh',
    textOf('examples/systemd/restore.sh').replaceAll('/var/lib/', 'var/lib/'),
  );
  addFile(
    'checkout/examples/systemd/run.sh',
    `case "$*" in
       backup*) new="$2/$(date +%s%N)Z"; mkdir -p "$new" && touch "$new/manifest.json" ;;
       restore*) echo "$2" >> restored ;;
       migrate) [ ! -e closed ] ;;
     esac`,
  );
  addFile('checkout/examples/systemd/start.sh', 'systemctl start staff-dashboard && [ ! -e unready ]');
  addFile('checkout/package.json', '{}');
  writeFileSync(join(checkout, '.env'), '');
  const origin = join(folder, 'origin');
  mkdirSync(origin);
  run('git init -q -b main . && git config user.name x && git config user.email x@company.test', origin);
  const release = (version: string) =>
    run(`git commit -q --allow-empty -m ${version} && git rev-parse HEAD`, origin).said.trim();
  return { folder, checkout, run, addFile, release };
}

const upgrades = () => {
  const [upgrade, back] = blocks.filter(({ section }) => section === 'Upgrade').map(({ text }) => text);
  const [, , , unitUpgrade, unitBack] = blocksNamed('systemd', 'docs/deployment.md');
  return [
    ['server.sh', upgrade, back, 'backups-before-upgrade', 'backups-before-upgrade'],
    ['systemd', unitUpgrade, unitBack, 'var/backups/staff-dashboard', 'etc/staff-dashboard'],
  ] as [string, string, string, string, string][];
};

test.each(upgrades())(
  'an upgrade under %s goes back to what ran before, also where it failed or is pasted twice',
  (kind, upgrade, back, backups, notes) => {
    const { folder, checkout, run, addFile, release } = smallCheckout('manual-upgrade');
    addFile('programs/systemctl', '#!/bin/sh\n[ $1 != stop ] || touch ../stopped');
    addFile('programs/runuser', '#!/bin/sh\nshift 3; AS_USER=1 exec "$@"');
    addFile('checkout/data/link-secret', 'kept');
    for (const place of [
      'var/lib/staff-dashboard',
      'var/backups/staff-dashboard',
      'etc/systemd/system',
      'etc/staff-dashboard',
    ])
      mkdirSync(join(checkout, place), { recursive: true });
    const unitData = join(checkout, 'var/lib/staff-dashboard');
    for (const file of ['database', 'link-secret']) writeFileSync(join(unitData, file), file);
    const { ino } = statSync(unitData);
    const paste = (words: string) =>
      run(words.replaceAll(/\/(?=(etc|var)\/)/g, `${checkout}/`).replaceAll('-o staff-dashboard ', ''));
    const lastLine = (file: string) => readFileSync(join(checkout, file), 'utf8').trim().split('\n').at(-1);
    const head = () => run('git rev-parse HEAD').said.trim();
    const backedUp = (version: string) => readdirSync(join(checkout, backups, version)).length;
    try {
      const one = release('one');
      run(
        'git init -q -b main . && git remote add origin ../origin && git pull -q origin main && git branch -q -u origin/main',
      );
      run('npm run build && sh examples/server.sh start');
      // As after `npm start`.
      rmSync(join(checkout, 'server.commit'));
      const two = release('two');
      renameSync(join(folder, 'origin'), join(folder, 'away'));
      expect(paste(upgrade).status).not.toBe(0);
      expect(existsSync(join(folder, 'stopped'))).toBe(false);
      expect(run('sh examples/server.sh status').said).toContain('server runs');
      renameSync(join(folder, 'away'), join(folder, 'origin'));
      // The build fails, then the start. What the new version has migrated, the old one can't restore. systemd
      // starts also what ends soon, so there the migration fails, then the server isn't ready.
      const unready = kind === 'systemd' ? ['unready', 'unready'] : [];
      for (const fails of ['broken', 'broken', 'closed', 'closed', ...unready, null, null]) {
        for (const file of ['broken', 'closed', 'unready']) rmSync(join(checkout, file), { force: true });
        if (fails) addFile(`checkout/${fails}`, '');
        const { status, said } = paste(upgrade);
        const ran = lastLine(kind === 'systemd' ? `${notes}/running` : 'server.commit');
        expect([status, lastLine(`${notes}/version`), ran], said).toEqual(fails ? [1, one, one] : [0, one, two]);
      }
      expect([head(), backedUp(one), backedUp(two)]).toEqual([two, 4, 1]);
      // Root must move nothing in the folder of the unit's user, whose links could lead elsewhere.
      if (kind === 'systemd')
        for (const name of ['mv', 'install'])
          addFile(`programs/${name}`, `#!/bin/sh\n[ "$AS_USER" ] || exit 1; PATH=/usr/bin:/bin exec ${name} "$@"`);
      for (const _ of 'ab') {
        const { status, said } = paste(back);
        // The folder: the command knows its newest backup.
        expect([status, head(), lastLine('restored')], said).toEqual([
          0,
          one,
          expect.stringMatching(`${backups}/${one}$`),
        ]);
      }
      if (kind === 'systemd') {
        // A disk can be mounted there: only what is in the folder can move.
        expect(statSync(unitData).ino).toBe(ino);
        const moved = readdirSync(unitData).filter((name) => name !== 'link-secret');
        expect(moved.flatMap((name) => readdirSync(join(unitData, name)))).toEqual(['database']);
        expect(existsSync(join(unitData, 'link-secret'))).toBe(true);
      }
      // The new data folder has no secret.
      const settings = readFileSync(join(checkout, '.env'), 'utf8');
      if (kind === 'server.sh') expect(settings.match(/^LINK_SECRET=.*$/gm)).toEqual(['LINK_SECRET=kept']);
      const three = release('three');
      // Someone began by hand: the earlier backups lack what came in since.
      run('git checkout -q - && git pull -q && npm run build');
      // No backup of the upgrade's own, so it isn't one.
      addFile(join('checkout', backups, one, '0Z/manifest.json'), '');
      const { status, said } = paste(upgrade);
      expect([status, head(), lastLine(`${notes}/version`)], said).toEqual([0, three, one]);
      expect(backedUp(one)).toBe(6);
    } finally {
      run('sh examples/server.sh stop');
      rmSync(folder, { recursive: true });
    }
  },
);

test.each([
  ['no line', '', 'DATA_DIR=elsewhere'],
  ['an empty line', 'LINK_SECRET=\n', 'DATA_DIR="elsewhere"'],
])(
  'the commands that put LINK_SECRET into an .env with %s read DATA_DIR, and write nothing without a secret',
  (_, line, dataDir) => {
    const [add = ''] = blocksNamed('secret', 'docs/production.md');
    const [, back = ''] = blocks.filter(({ section }) => section === 'Upgrade').map(({ text }) => text);
    const [, move = ''] = blocksNamed('move', 'docs/deployment.md');
    const settings = `${line}${dataDir}\n`;
    for (const words of [add, back, move]) {
      const { folder, checkout, run, addFile } = smallCheckout('manual-secret');
      try {
        addFile('checkout/examples/server.sh', 'true');
        writeFileSync(join(checkout, '.env'), settings);
        const failed = run(`url=x\n${words}`);
        expect([failed.status, readFileSync(join(checkout, '.env'), 'utf8')], failed.said).toEqual([1, settings]);
        if (words === add) expect(failed.said.trim()).not.toContain('\n');
        addFile('checkout/elsewhere/link-secret', 'kept');
        const before = /version=|DATABASE_URL=/.exec(words)?.index ?? words.length;
        run(`url=x\n${words.slice(0, before).trim().replace(/&&$/, '')}${words === move ? '; }; }' : ''}`);
        expect(parseEnvFile(readFileSync(join(checkout, '.env'), 'utf8'), '.env').get('LINK_SECRET')).toBe('kept');
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  },
);

test('a restore on a new machine under systemd begins no company before it', () => {
  const { folder, checkout, run, addFile } = smallCheckout('manual-new-machine');
  const [newMachine = ''] = blocksNamed('systemd-new', 'docs/deployment.md');
  const [, , restore = ''] = blocksNamed('systemd', 'docs/deployment.md');
  for (const name of ['useradd', 'chown', 'systemctl']) addFile(`programs/${name}`, `#!/bin/sh\necho ${name} "$@"`);
  addFile('programs/id', '#!/bin/sh\nexit 1');
  addFile('programs/runuser', '#!/bin/sh\nshift 3; exec "$@"');
  addFile('programs/install', '#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done; exec mkdir -p "$1"');
  const paste = (words: string) => run(words.replaceAll(/\/(?=(etc|var)\/)/g, `${checkout}/`));
  try {
    mkdirSync(join(checkout, 'etc/systemd/system'), { recursive: true });
    addFile('checkout/var/backups/staff-dashboard/1Z/manifest.json', '');
    run(
      'git init -q -b main . && git add package.json && git config user.name x && git config user.email x@company.test && git commit -q -m one && npm run build',
    );
    const begun = paste(newMachine);
    expect([begun.status, begun.said], begun.said).toEqual([
      0,
      expect.stringMatching(/^useradd .*\nchown .*\nsystemctl enable staff-dashboard\n$/),
    ]);
    expect(readdirSync(join(checkout, 'etc/systemd/system'))).toEqual(['staff-dashboard.service']);
    const restored = paste(restore);
    expect([restored.status, existsSync(join(checkout, 'restored'))], restored.said).toEqual([0, true]);
    expect(restored.said).toMatch(/systemctl start staff-dashboard\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a trial restore under systemd has the LINK_SECRET that the server made, and the time zone', () => {
  const { folder, checkout, run, addFile } = smallCheckout('manual-unit-secret');
  const [begin = ''] = blocksNamed('systemd-trial', 'docs/deployment.md');
  const paste = () =>
    run(`${begin.replaceAll(/\/(?=(etc|var)\/)/g, `${checkout}/`)}echo "$? $LINK_SECRET $COMPANY_TIME_ZONE"`);
  const settings = 'COMPANY_TIME_ZONE=Asia/Tokyo\nMAIL_FROM="\\"Staff\\" <a@company.test>"\n';
  try {
    addFile('checkout/etc/staff-dashboard/environment', settings);
    expect(paste().said).toContain('LINK_SECRET is neither in');
    addFile('checkout/var/lib/staff-dashboard/link-secret', 'kept');
    for (const _ of 'ab') expect(paste().said).toBe('0 kept Asia/Tokyo\n');
    // For a restore on another machine too.
    expect(readFileSync(join(checkout, 'etc/staff-dashboard/environment'), 'utf8')).toBe(
      `${settings}LINK_SECRET=kept\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('an upgrade of two servers', () => {
  const [upgrade = ''] = blocksNamed('two-checkouts', 'docs/production.md');
  const twoServers = () => {
    const small = smallCheckout('manual two');
    const { folder, checkout, run, addFile, release } = small;
    run('cp -r ../checkout/bin ../checkout/examples ../checkout/scripts . && git add -A', join(folder, 'origin'));
    const one = release('one');
    run('rm -r bin examples scripts && git init -q -b main . && git remote add origin ../origin');
    run('git pull -q origin main && git branch -q -u origin/main && npm run build');
    addFile('checkout/.env', 'LINK_SECRET=first\n');
    run('sh examples/server.sh start && PORT=2 sh examples/server.sh start second');
    const running = (place = '.') => run(`sh ${place}/examples/server.sh status all`).said.match(/^\w+(?= runs)/gm);
    const backups = () => readdirSync(join(checkout, 'backups-before-upgrade', one)).length;
    const settings = () => readFileSync(join(folder, 'checkout-new/.env'), 'utf8');
    const end = () => {
      for (const place of readdirSync(folder).filter((name) => name.startsWith('checkout')))
        run('sh examples/server.sh stop all', join(folder, place));
      rmSync(folder, { recursive: true });
    };
    return { ...small, one, running, backups, settings, end };
  };

  test('refuses where servers have run in the second checkout, says where to work, and changes nothing', () => {
    const { folder, run, release, running, backups, settings, end } = twoServers();
    try {
      const two = release('two');
      expect(run(upgrade).status).toBe(0);
      const head = () => run('git -C ../checkout-new rev-parse HEAD').said.trim();
      expect([running(), running('../checkout-new'), head()]).toEqual([null, ['server', 'second'], two]);
      // As after a rotation there, and an upgrade of the settings here.
      run("sed -i 's/first/rotated/' ../checkout-new/.env && touch .env");
      const three = release('three');
      const refused = run(upgrade);
      expect([refused.status, refused.said]).toEqual([1, `The servers run in ${folder}/checkout-new. Work there\n`]);
      run('sh ../checkout-new/examples/server.sh stop all');
      const away = run(upgrade);
      const hint = 'Work there, or if you went back to this checkout, first run: mv';
      expect([away.status, away.said]).toEqual([
        1,
        expect.stringMatching(`^Servers have run in .*-new. ${hint} .*\n$`),
      ]);
      run('sh examples/server.sh start all');
      expect([run(upgrade).status, running(), head(), backups()]).toEqual([1, ['server', 'second'], two, 1]);
      expect(settings()).toContain('LINK_SECRET=rotated\n');
      run(/mv .*/.exec(away.said)?.[0] ?? '');
      expect([run(upgrade).status, running(), head()]).toEqual([0, null, three]);
    } finally {
      end();
    }
  });

  test('goes on after a start that failed, with the settings that were mended there', () => {
    const { folder, checkout, run, addFile, release, running, backups, settings, end } = twoServers();
    try {
      run('mv ../origin ../away');
      expect([run(upgrade).status, running()]).toEqual([128, ['server', 'second']]);
      run('mv ../away ../origin');
      release('two');
      run('git clone -q ../origin ../checkout-new');
      // As where a newer version has migrated the database.
      addFile('checkout/newer', '');
      expect(run(upgrade)).toEqual({ status: 1, said: 'There is no backup to go back to, so nothing was changed\n' });
      // A planted backup is none of the upgrade's own.
      run('mv upgrade.backup kept; touch ../checkout-new/server.log');
      expect(run(upgrade).said).toContain('There is no backup to go back to');
      run('mv kept upgrade.backup && rm ../checkout-new/server.log');
      rmSync(join(checkout, 'newer'));
      for (const [closed, servers] of [
        ['closed2', null],
        ['closed', ['second']],
      ] as const) {
        addFile(`checkout-new/${closed}`, '');
        expect([run(upgrade).status, running('../checkout-new')], closed).toEqual([1, servers]);
        rmSync(join(folder, 'checkout-new', closed));
        addFile('checkout/newer', '');
      }
      expect(running()).toBe(null);
      const before = backups();
      run("sed -i 's/first/mended/' ../checkout-new/.env && touch .env");
      expect([run(upgrade).status, running('../checkout-new')]).toEqual([0, ['server', 'second']]);
      expect([settings(), backups()]).toEqual([expect.stringContaining('LINK_SECRET=mended\n'), before]);
    } finally {
      end();
    }
  });

  test('builds again after a build that failed, and copies only settings that are newer than those there', () => {
    const { run, addFile, release, running, settings, end } = twoServers();
    try {
      release('two');
      run('git clone -q ../origin ../checkout-new');
      addFile('checkout-new/broken', '');
      for (const [name, place] of [
        ['here', '.'],
        ['there', '../checkout-new'],
      ] as const) {
        run(`sed -i 's/LINK_SECRET=.*/LINK_SECRET=${name}/' ${place}/.env`);
        expect([run(upgrade).status, running()]).toEqual([1, ['server', 'second']]);
        expect(settings()).toContain(`LINK_SECRET=${name}\n`);
      }
      expect(settings()).toMatch(/^DATA_DIR=".*checkout\/data"$/m);
      rmSync(join(run('realpath ../checkout-new').said.trim(), 'broken'));
      expect([run(upgrade).status, running('../checkout-new')]).toEqual([0, ['server', 'second']]);
    } finally {
      end();
    }
  });

  test('says what root does for a user who can’t create the second checkout', (context) => {
    if (process.getuid?.() !== 0) skipFor(context, 'root');
    const { folder, checkout, end } = twoServers();
    try {
      execFileSync('chmod', ['-R', 'a+rX', folder]);
      const paste = () =>
        spawnSync('/bin/sh', ['-c', upgrade], { cwd: checkout, encoding: 'utf8', uid: 65534, gid: 65534 }).stderr;
      const command = `install -d -o nobody '${folder}/checkout-new'`;
      expect(paste()).toBe(`This user can't create ${folder}/checkout-new. As root, run: ${command}\n`);
      execFileSync('sh', ['-c', command]);
      expect(paste()).not.toContain('This user can');
    } finally {
      end();
    }
  });
});

test('an upgrade of containers keeps the image that ran, also where it failed or is pasted twice', () => {
  const { folder, checkout, run, addFile, release } = smallCheckout('manual-containers');
  const [upgrade = '', restore = ''] = blocksNamed('containers', 'docs/deployment.md');
  addFile(
    'programs/docker',
    `#!/bin/sh
     case "$1 $2" in
       tag*) cp image "image-\${3#*:}" ;;
       "image inspect") echo $((1 + $(grep -lxF -f image image-* 2> /dev/null | wc -l))) ;;
       "compose build") [ ! -e broken ] && git rev-parse HEAD > image ;;
     esac`,
  );
  try {
    const one = release('one');
    run(
      'git init -q -b main . && git remote add origin ../origin && git pull -q origin main && git branch -q -u origin/main && docker compose build',
    );
    const two = release('two');
    const tagged = (tag: string) => readFileSync(join(checkout, `image-${tag}`), 'utf8').trim();
    for (const expected of [1, 1, 0, 0]) {
      if (expected === 1) addFile('checkout/broken', '');
      else rmSync(join(checkout, 'broken'), { force: true });
      const { status, said } = run(upgrade);
      expect([status, tagged(one)], said).toEqual([expected, one]);
    }
    expect(tagged(two)).toBe(two);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const [script = ''] = /\S+\/create-database\.sh/.exec(restore) ?? [];
  expect(textOf('compose.yaml')).toContain(`create-database.sh:${script}:ro`);
});

test('the move to your PostgreSQL goes on after its start failed, also when it is pasted once too often', () => {
  const { folder, checkout, run, addFile } = smallCheckout('manual-move');
  const [, move = ''] = blocksNamed('move', 'docs/deployment.md');
  addFile('checkout/examples/server.sh', 'touch asked; [ $1 != start ] || [ ! -e closed ]');
  addFile('checkout/data/link-secret', 'kept');
  // An editor may leave out the last line break.
  writeFileSync(join(checkout, '.env'), 'LINK_SECRET=kept');
  try {
    // In another shell, which doesn't know the database.
    expect([run(move).status, existsSync(join(checkout, 'asked'))]).toEqual([127, false]);
    for (const [expected, url] of [
      [1, 'url=postgres://db'],
      [1, ''],
      [0, ''],
      [0, ''],
    ] as const) {
      if (expected === 1) addFile('checkout/closed', '');
      else rmSync(join(checkout, 'closed'), { force: true });
      const { status, said } = run(`${url}\n${move}`);
      expect([status, existsSync(join(checkout, 'data'))], said).toEqual([expected, expected === 1]);
    }
    const settings = parseEnvFile(readFileSync(join(checkout, '.env'), 'utf8'), '.env');
    expect([...settings.keys()]).toEqual(['LINK_SECRET', 'DATABASE_URL', 'DATA_DIR']);
    expect(settings.get('LINK_SECRET')).toBe('kept');
    expect(readdirSync(join(checkout, 'data-before-move'))).toEqual(['link-secret']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('to rotate the secret', () => {
  const [{ text } = { text: '' }] = blocks.filter(({ section }) => section === 'Rotate a secret');
  const rotateIn = (folder: string, settings: string) => {
    for (const name of ['env-file.mjs', 'rotate-link-secret.mjs'])
      cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
    writeFileSync(join(folder, '.env'), settings, { mode: 0o600 });
    return () => {
      const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
      return { status, stderr, settings: readFileSync(join(folder, '.env'), 'utf8') };
    };
  };

  test('fails where nothing names the secret, and leaves .env as it is', () => {
    const folder = openFolder('manual-secret');
    try {
      const rotate = rotateIn(folder, 'DATA_DIR=elsewhere\n');
      expect(rotate()).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^LINK_SECRET is neither in .*\.env nor in .*elsewhere\/link-secret\./),
        settings: 'DATA_DIR=elsewhere\n',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  const machines: readonly [string, string, Record<string, string>, RegExp][] = [
    ['in a file of its own', 'LINK_SECRET_FILE=/run/secret\n', {}, /^LINK_SECRET is in \/run\/secret\. Copy it to/],
    ['in the environment', 'LINK_SECRET=old\n', { LINK_SECRET: 'x' }, /^LINK_SECRET is set in the environment/],
    ['in a line that nobody can read', 'LINK_SECRET="old\n', {}, /^Line 1 of .*\.env can't be read/],
    ['behind a link in the data folder', '', { linked: '1' }, /^Can't read .*link-secret: it's a link\n$/],
    ['written to a full disk', 'LINK_SECRET=old\n', { full: '1' }, /\.env is unchanged: ENOSPC[^\n]*\n$/],
  ];
  test.each(machines)(
    'fails in one line where it is %s, and leaves .env as it is',
    (_where, settings, { full, linked, ...env }, says) => {
      const folder = openFolder('manual-secret');
      try {
        rotateIn(folder, settings);
        if (linked) {
          mkdirSync(join(folder, 'data'));
          symlinkSync('/etc/hostname', join(folder, 'data/link-secret'));
        }
        // What a full disk says when the draft is written.
        const fullDisk = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
        fs.writeFileSync = (file) => { fs.ftruncateSync(file); throw Object.assign(new Error('ENOSPC: no space'), {}); };
        syncBuiltinESMExports();`;
        writeFileSync(join(folder, 'full.mjs'), full ? fullDisk : '');
        const words = ['--import', join(folder, 'full.mjs'), join(folder, 'scripts/rotate-link-secret.mjs')];
        const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
        expect([status, stderr]).toEqual([1, expect.stringMatching(says)]);
        expect(stderr.trim()).not.toContain('\n');
        expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(settings);
        expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
  test.each([
    ['quoted', `LINK_SECRET='#a "b'\n`, undefined, '#a "b'],
    ['interrupted before the new one', 'LINK_SECRET_ALSO="of before"\nLINK_SECRET=\n', undefined, 'of before'],
    ['interrupted, with a kept one', 'LINK_SECRET_ALSO=kept\n', 'kept', 'kept'],
  ])('keeps the secret before, and makes the new one, where it was %s', (_how, settings, kept, expected) => {
    const folder = openFolder('manual-secret');
    try {
      if (kept) {
        mkdirSync(join(folder, 'data'));
        writeFileSync(join(folder, 'data/link-secret'), kept);
      }
      const rotate = rotateIn(folder, settings);
      const first = rotate();
      const variables = parseEnvFile(first.settings, '.env');
      expect(variables.get('LINK_SECRET_ALSO')).toBe(expected);
      expect(variables.get('LINK_SECRET')).toMatch(/^[0-9a-f]{64}$/);
      expect(rotate()).toEqual(first);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test('works beside a value with quotes in the file for systemd', () => {
    const folder = openFolder('manual-secret');
    try {
      const rotate = rotateIn(folder, `MAIL_FROM='"Staff" <a@company.test>'\nLINK_SECRET=old\n`);
      cpSync(join(root, 'scripts/systemd-environment.mjs'), join(folder, 'scripts/systemd-environment.mjs'));
      execFileSync(process.execPath, ['scripts/systemd-environment.mjs', '.env', 'environment'], { cwd: folder });
      cpSync(join(folder, 'environment'), join(folder, '.env'));
      const { status, stderr, settings } = rotate();
      expect([status, stderr]).toEqual([0, '']);
      expect(settings).toMatch(
        /^MAIL_FROM="\\"Staff\\" <a@company\.test>"\nLINK_SECRET_ALSO=old\nLINK_SECRET=[0-9a-f]{64}\n$/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test.each([
    ['.env', 'APP_ENV=production\nLINK_SECRET="of before"\n', undefined],
    ['data/link-secret', 'APP_ENV=production\n', 'data'],
    ['link-secret in the DATA_DIR of .env', 'APP_ENV=production\nDATA_DIR=elsewhere\n', 'elsewhere'],
  ])('works where it is in %s, and done twice changes nothing more', (_where, settings, dataDir) => {
    const folder = openFolder('manual-secret');
    try {
      if (dataDir) {
        mkdirSync(join(folder, dataDir));
        writeFileSync(join(folder, dataDir, 'link-secret'), 'of before\n');
      }
      const rotate = rotateIn(folder, settings);
      const first = rotate();
      expect(first.status).toBe(0);
      const variables = parseEnvFile(first.settings, '.env');
      expect([variables.get('APP_ENV'), variables.get('DATA_DIR')]).toEqual([
        'production',
        dataDir === 'elsewhere' ? dataDir : undefined,
      ]);
      expect(variables.get('LINK_SECRET_ALSO')).toBe('of before');
      expect(variables.get('LINK_SECRET')).toMatch(/^[0-9a-f]{64}$/);
      expect(rotate()).toEqual(first);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('a pasted block ends at its first command that fails', () => {
  const folder = openFolder('manual-paste');
  try {
    writeFileSync(join(folder, '.env'), 'DRAIN_SECONDS=3\n');
    const failing = ['npm', 'sh', 'git', 'caddy'].map((name) => `${name}() { echo ${name} >> ran; return 1; }`);
    for (const { section, text } of blocks.filter(({ text }) => !text.includes('END'))) {
      writeFileSync(join(folder, 'ran'), '');
      spawnSync('bash', ['--norc', '-c', `${failing.join('\n')}\n${text}`], { cwd: folder });
      const ran = readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n');
      expect(ran.length, `${section}\n${text}`).toBe(1);
      expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('DRAIN_SECONDS=3\n');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('only .env is closed to others: what is built after it is for the user of the server too', () => {
  const folder = openFolder('manual-modes');
  try {
    const script = `umask 022; ${blocks[0]!.text}\ntouch built`;
    execFileSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder });
    const modes = ['.env', 'built'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o644]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the trial server and the second one share no address with the first, and the trial tells nobody outside', () => {
  const [line = ''] = /^PORT=3001 .*$/m.exec(textOf('docs/production.md')) ?? [];
  const first = {
    METRICS_ADDRESS: '127.0.0.1:9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    SMTP_URL: 'smtp://127.0.0.1',
    MAIL_FROM: 'a@company.test',
    PUBLIC_URL: 'https://staff.company.test',
    FILES_URL: 's3://bucket',
  };
  const filled = line.replace(/\$\{trial:\?\}/, 'restored_1').replace('$url', '');
  const own = Object.fromEntries([...filled.matchAll(/([A-Z_]+)=(\S*)/g)].map(([, name, value]) => [name, value]));
  const trial = readConfig({ ...first, ...own });
  expect([trial.metrics, trial.telemetry, trial.mail, trial.filesUrl]).toEqual([{}, undefined, undefined, undefined]);
  expect(textOf('docs/production.md')).toMatch(
    /^ *PORT=3002 METRICS_ADDRESS= sh examples\/server\.sh start second &&$/m,
  );
});

describe('the end of a trial restore', () => {
  const removes = blocks.filter(({ text }) => /^! grep .*trial/.test(text)).map(({ text }) => text);
  const [removeFolder = '', dropDatabase = ''] = removes;
  const removeWith = (settings: string, variables: string) => {
    const { folder, checkout, run, addFile } = smallCheckout('manual-trial');
    try {
      addFile('programs/su', '#!/bin/sh\necho "$PGPORT" "$@"');
      addFile('checkout/restored_2/database', '');
      addFile('checkout/.env', settings);
      const [folderEnd, databaseEnd] = [removeFolder, dropDatabase].map((words) => run(`${variables}\n${words}`));
      return { folderEnd, databaseEnd, left: existsSync(join(checkout, 'restored_2')) };
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test.each([
    ['data folder', 'DATA_DIR=restored_2\n'],
    ['database', 'DATABASE_URL=postgres://db/restored_2\n'],
  ])('leaves what .env names as its %s', (_, settings) => {
    const refused = { status: 1, said: 'restored_2\n' };
    const ended = removeWith(settings, 'trial=restored_2');
    expect(ended).toEqual({ folderEnd: refused, databaseEnd: refused, left: true });
  });
  test('removes nothing in another shell, which doesn’t know the trial', () => {
    const refused = { status: 127, said: expect.stringContaining('trial: ') };
    expect(removeWith('', '')).toEqual({ folderEnd: refused, databaseEnd: refused, left: true });
  });
  test('removes the folder, and the database in your own PostgreSQL with its user', () => {
    const variables = 'trial=restored_2 url=postgres://restored_2:word@localhost:5433/restored_2';
    expect(removeWith('DATA_DIR=restored_1\n', variables)).toEqual({
      folderEnd: { status: 0, said: '' },
      databaseEnd: { status: 0, said: '5433 postgres -c dropdb restored_2 && dropuser restored_2\n' },
      left: false,
    });
  });
});

describe('with PostgreSQL on this machine', needs('root', process.getuid?.() === 0), () => {
  const [, create = '', restore = ''] = blocks
    .filter(({ section, text }) => section === 'Backup and restore' && /trial/.test(text))
    .map(({ text }) => text);
  const [createForMove = '', move = ''] = blocksNamed('move', 'docs/deployment.md');
  test.each([
    ['a trial restore', create, restore, /^restored_\d+$/],
    ['the move', createForMove, move, /^moved$/],
  ])('root makes the database of %s, and the ordinary user of the servers does the rest', (_, root, rest, place) => {
    const { folder, checkout, run, addFile } = smallCheckout('manual-user');
    addFile('checkout/examples/server.sh', '');
    addFile('checkout/examples/postgres/create-database.sh', '[ "$(id -u)" = 0 ] && echo postgres://db/own');
    addFile('checkout/backups/1Z/manifest', '');
    addFile('checkout/data/link-secret', 'kept');
    addFile(
      'programs/npm',
      '#!/bin/sh\n[ "$2" != restore ] || { mkdir "$DATA_DIR" && echo "$DATABASE_URL" > "$DATA_DIR/url"; }',
    );
    execFileSync('chown', ['-R', '65534:65534', folder]);
    try {
      const made = run(root);
      expect(made.status, made.said).toBe(0);
      const { status, said } = run(`${made.said}${rest}`, checkout, { uid: 65534, gid: 65534 });
      expect(status, said).toBe(0);
      const data = readdirSync(checkout).find((name) => place.test(name)) ?? '';
      expect(statSync(join(checkout, data)).uid).toBe(65534);
      const url = /url=(.*)/.exec(made.said)?.[1];
      expect(readFileSync(join(checkout, data, 'url'), 'utf8').trim()).toBe(url);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('the first block leaves a .env that is there alone', () => {
  const folder = openFolder('manual-settings');
  try {
    const first = () => {
      execFileSync('bash', ['--norc', '-euo', 'pipefail', '-c', blocks[0]!.text], { cwd: folder });
      return readFileSync(join(folder, '.env'), 'utf8');
    };
    expect(first()).toBe(first());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Signs in over HTTPS, as a browser would. */
async function signIn(proxy: TlsProxy, body: object): Promise<number | undefined> {
  const payload = JSON.stringify(body);
  const asked = request(`${proxy.url}/api/auth/login`, {
    method: 'POST',
    ca: proxy.certificate,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
  });
  asked.end(payload);
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

const kinds: readonly Kind[] = ['embedded', 'outside'];
describe.each(kinds)('every block runs in its order on the %s database', (kind) => {
  const lacking = noTls ?? (kind === 'outside' && outsidePrograms === null ? 'PostgreSQL 15' : null);
  let folder: string;
  let checkout: string;
  let proxy: TlsProxy;
  let postgres: OutsidePostgres | undefined;
  let ports: readonly [number, number];

  beforeAll(async () => {
    if (lacking !== null) return;
    folder = openFolder('manual');
    checkout = copyCheckout(join(folder, 'checkout'));
    // The first builds everything anew.
    if (kind === 'outside')
      for (const name of ['build', 'dist'].filter((name) => existsSync(join(root, name))))
        cpSync(join(root, name), join(checkout, name), { recursive: true });
    git(`init -q -b main .`, 'config user.name x', 'config user.email x@company.test', 'add -A', 'commit -q -m one');
    git('clone -q --bare . ../origin', 'remote add origin ../origin', 'fetch -q', 'branch -q -u origin/main');
    ports = [await freePort(), await freePort()];
    proxy = await startTlsProxy(folder);
    if (kind === 'embedded') return;
    postgres = await startOutsidePostgres(folder);
    // As root becomes `postgres`.
    mkdirSync(join(folder, 'programs'));
    writeFileSync(join(folder, 'programs/su'), '#!/bin/sh\nPGUSER=$1 exec sh -c "$3"', { mode: 0o700 });
  });
  afterAll(async () => {
    if (lacking !== null) return;
    // First: server.sh leaves a server to systemd.
    if (existsSync(join(folder, 'programs/systemctl'))) await run(`${folder}/programs/systemctl stop`);
    await run('for place in . ../checkout-new; do [ ! -e $place ] || sh $place/examples/server.sh stop all; done');
    await proxy.stop();
    await postgres?.stop();
    const data = join(checkout, 'data');
    if (existsSync(data)) rmSync(realpathSync(data), { recursive: true });
    rmSync(folder, { recursive: true, force: true });
  });

  const git = (...commands: string[]) => {
    for (const words of commands) execFileSync('git', words.split(' '), { cwd: checkout });
  };
  const releaseNext = () => {
    const commit = execFileSync('git', ['commit-tree', '-p', 'origin/main', '-m', 'next', 'origin/main^{tree}'], {
      ...{ cwd: checkout, encoding: 'utf8' },
    });
    git(`push -q origin ${commit.trim()}:main`);
  };

  /** What stands for the operator's own names and machines. */
  const placeholders = (): readonly (readonly [RegExp, string])[] => [
    [/https:\/\/staff\.company\.com/g, proxy.url],
    [/localhost:3000/g, `localhost:${ports[0]}`],
    [/localhost:3002/g, `localhost:${ports[1]}`],
    [/PORT=3002/g, `PORT=${ports[1]}`],
    // A certificate of this machine instead of a public one: the proxy of the test has it.
    [/PUBLIC_URL=\S+ SERVERS=("[^"]*"|\S+) caddy \w+ --config \S+/g, 'echo $1 > servers.txt'],
  ];

  async function run(text: string): Promise<void> {
    const script = placeholders().reduce((filled, [from, to]) => filled.replace(from, to), text);
    const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: checkout,
      env: {
        PATH: [join(folder, 'programs'), dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: folder,
        PORT: String(ports[0]),
        // Long enough that a start that doesn't wait for the end of the one before fails.
        DRAIN_SECONDS: '3',
        ...postgres?.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
    const [code] = await once(child, 'close');
    const logs = ['server.log', 'second.log'].map((name) => join(checkout, name)).filter((file) => existsSync(file));
    expect(code, `${script}\n${said}\n${logs.map((file) => readFileSync(file, 'utf8')).join('\n')}`).toBe(0);
    const servers = join(checkout, 'servers.txt');
    if (existsSync(servers)) proxy.leadTo(readFileSync(servers, 'utf8').trim().split(' '));
  }

  test.for(sections)('%s', async (section, context) => {
    if (lacking !== null) skipFor(context, lacking);
    if (section === 'Upgrade') releaseNext();
    const texts = blocks.filter((block) => block.section === section && ['both', kind].includes(block.kind));
    // In one shell, as they use each other's variables. Only the last command of a list ends it with `-e`.
    await run(texts.map(({ text }) => `${text}[ $? = 0 ] || exit 1\n`).join(''));
    expect(readdirSync(checkout).filter((name) => name.startsWith('restored'))).toEqual([]);
    const settings = readFileSync(join(checkout, '.env'), 'utf8');
    const [, email] = /^ADMIN_EMAIL=(.*)$/m.exec(settings) ?? [];
    const [, password] = /^ADMIN_PASSWORD=(.*)$/m.exec(settings) ?? [];
    expect(await signIn(proxy, { email, password })).toBe(200);
    expect(await signIn(proxy, { email: 'admin@demo.test', password: 'top-5-demo' })).toBe(401);
  });

  if (kind === 'outside') {
    test('and then upgraded into a second checkout, without a gap', async (context) => {
      if (lacking !== null) skipFor(context, lacking);
      const next = copyCheckout(join(folder, 'checkout-new'));
      cpSync(join(checkout, '.git'), join(next, '.git'), { recursive: true });
      releaseNext();
      const [upgrade = ''] = blocksNamed('two-checkouts', 'docs/production.md');
      await run(upgrade);
      const answers = await Promise.all(
        ports.map(async (port) => (await fetch(`http://localhost:${port}/readyz`)).status),
      );
      expect(answers).toEqual([200, 200]);
      for (const name of ['server', 'second']) {
        expect(existsSync(join(checkout, `${name}.pid`))).toBe(false);
        expect(existsSync(join(next, `${name}.pid`))).toBe(true);
      }
      // The one that isn't in .env: without it both servers would want the same address for their metrics.
      expect(readFileSync(join(next, 'second.settings'), 'utf8')).toMatch(/^METRICS_ADDRESS=$/m);
      // As if its start had failed: the earlier version can't back up what the new one migrated.
      await run(`sh "${next}/examples/server.sh" stop second && rm "${next}/second.commit"\n${upgrade}`);
      expect((await fetch(`http://localhost:${ports[1]}/readyz`)).status).toBe(200);
    });
    return;
  }
  test('and then on a PostgreSQL of yours, with the data', async (context) => {
    const without = lacking ?? (outsidePrograms === null ? 'PostgreSQL 15' : null);
    if (without !== null) skipFor(context, without);
    postgres = await startOutsidePostgres(folder);
    const moves = blocksNamed('move', 'docs/deployment.md');
    expect(moves.at(-1)).toContain('server.sh start');
    await run(moves.join(''));
    const settings = parseEnvFile(readFileSync(join(checkout, '.env'), 'utf8'), '.env');
    expect(settings.get('DATABASE_URL')).toContain(`localhost:${postgres.port}`);
    const account = { email: settings.get('ADMIN_EMAIL'), password: settings.get('ADMIN_PASSWORD') };
    expect(await signIn(proxy, account)).toBe(200);
  });

  test('and then under systemd, with the data', async (context) => {
    if (lacking !== null) skipFor(context, lacking);
    await run(`sh examples/server.sh stop all && sed -i '/^DATABASE_URL=/d; /^DATA_DIR=/d' .env
      echo PORT=${ports[0]} >> .env
      rm -rf data-before-move && mv before-upgrade-* data`);
    const settings = parseEnvFile(readFileSync(join(checkout, '.env'), 'utf8'), '.env');
    const account = { email: settings.get('ADMIN_EMAIL'), password: settings.get('ADMIN_PASSWORD') };
    const inFolder = (text: string) =>
      text
        .replaceAll(
          /\/(etc\/systemd\/system|etc\/staff-dashboard|var\/(lib|backups)\/staff-dashboard)/g,
          `${folder}/$1`,
        )
        .replaceAll('/opt/staff-dashboard', checkout)
        .replaceAll('-o staff-dashboard ', '');
    for (const name of [
      'server.sh',
      'systemd/move.sh',
      'systemd/restore.sh',
      'systemd/run.sh',
      'systemd/start.sh',
      'systemd/staff-dashboard.service',
    ])
      writeFileSync(join(checkout, 'examples', name), inFolder(textOf(`examples/${name}`)));
    mkdirSync(join(folder, 'etc/systemd/system'), { recursive: true });
    mkdirSync(join(folder, 'var/backups'), { recursive: true });
    const addFile = (name: string, text: string) => {
      mkdirSync(join(folder, 'programs'), { recursive: true });
      writeFileSync(join(folder, 'programs', name), `#!/bin/sh\n${text}`, { mode: 0o700 });
    };
    // What systemd does with the unit and a command, without its users and walls.
    for (const name of ['id', 'useradd', 'chown']) addFile(name, '');
    addFile('runuser', 'shift 3; exec "$@"');
    addFile(
      'systemd-run',
      `while :; do case $1 in
         -p) case $2 in EnvironmentFile=*) set -a; . "\${2#*=}"; set +a ;; Environment=*) export \${2#*=} ;; esac; shift 2 ;;
         -*) shift ;;
         *) exec "$@" ;;
       esac; done`,
    );
    addFile(
      'systemctl',
      `pid=${folder}/unit.pid
       case $1 in
         is-active) [ -e $pid ] && exit || exit 1 ;;
         daemon-reload) exit ;;
         stop | restart) [ ! -e $pid ] || { kill $(cat $pid); while kill -0 $(cat $pid) 2> /dev/null; do sleep 0.1; done; rm $pid; } ;;
       esac
       [ $1 != stop ] || exit 0
       nohup sh ${checkout}/examples/systemd/run.sh $(sed -n 's/^ExecStart=[^ ]* //p' ${folder}/etc/systemd/system/*.service) > ${folder}/unit.log 2>&1 < /dev/null &
       echo $! > $pid`,
    );
    const steps = blocksNamed('systemd', 'docs/deployment.md');
    expect(steps).toHaveLength(6);
    for (const step of steps) {
      if (step.includes('git pull')) releaseNext();
      await run(inFolder(step));
      await expect
        .poll(() => signIn(proxy, account), {
          timeout: 60_000,
          message: readFileSync(join(folder, 'unit.log'), 'utf8'),
        })
        .toBe(200);
      await expect(run('sh examples/server.sh start')).rejects.toThrow('systemd runs the server of this checkout');
    }
    const data = join(folder, 'var/lib/staff-dashboard');
    const [, entries = ''] = /^entries='(.*)'$/m.exec(textOf('examples/systemd/restore.sh')) ?? [];
    const known = new Set(['link-secret', ...entries.split(' ')]);
    expect(readdirSync(data).filter((name) => !known.has(name) && !name.startsWith('earlier-'))).toEqual([]);
    // As where the disk of the data isn't mounted.
    await run(`systemctl stop && mv ${data} ${data}.away && mkdir ${data} && systemctl start
      while kill -0 $(cat ${folder}/unit.pid) 2> /dev/null; do sleep 0.1; done
      grep -q '^There is no database in ' ${folder}/unit.log && [ ! -e ${data}/database ] && rm -r ${data} && mv ${data}.away ${data} && systemctl start`);
    const environment = parseEnvFile(
      readFileSync(join(folder, 'etc/staff-dashboard/environment'), 'utf8'),
      'environment',
    );
    expect(environment.get('LINK_SECRET_ALSO')).toBe(settings.get('LINK_SECRET'));
    const [begin, restore, end] = blocks
      .filter(({ section, kind, text }) => section === 'Backup and restore' && kind !== 'outside' && /trial/.test(text))
      .map(({ text }) => text.replace('-- backups\n', '-- /var/backups/staff-dashboard\n'));
    const trial = [
      ...blocksNamed('systemd-trial', 'docs/deployment.md'),
      begin,
      restore,
      '[ -e $trial/database ]\n',
      end,
    ];
    await run(inFolder(trial.map((text) => `${text}[ $? = 0 ] || exit 1\n`).join('')));
    expect(readdirSync(checkout).filter((name) => name.startsWith('restored'))).toEqual([]);
  });
});
