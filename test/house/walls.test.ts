import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { root, textOf } from './source.ts';

// From, and what it imports, and the rule of dependency-cruiser that catches it.
const forbidden: [from: string, specifier: string, rule: string][] = [
  ['src/core/a.ts', 'node:fs', 'core-is-pure'],
  ['src/core/a.ts', '#server/app.ts', 'core-is-pure'],
  ['src/core/a.ts', '../web/main.tsx', 'core-is-pure'],
  ['src/core/base/a.ts', '../access/access.ts', 'base-not-upwards'],
  ['src/core/tasks/a.ts', '#core/numbers/periods.ts', 'tasks-not-upwards'],
  ['src/core/notifications/a.ts', '../admin/settings.ts', 'notifications-not-upwards'],
  ['src/server/tasks/a.ts', '#web/main.tsx', 'server-not-to-web'],
  ['src/server/platform/a.ts', '#server/people/people.service.ts', 'base-not-upwards'],
  ['src/server/access/roles/a.ts', '#server/people/people.service.ts', 'access-not-upwards'],
  ['src/server/people/a.ts', '#server/tasks/sprints/sprints.service.ts', 'people-not-upwards'],
  ['src/server/tasks/sprints/a.ts', '#server/notifications/notices.service.ts', 'tasks-not-upwards'],
  ['src/server/notifications/a.ts', '#server/demo/seed.ts', 'notifications-not-upwards'],
  ['src/server/admin/a.ts', '#server/demo/seed.ts', 'admin-not-upwards'],
  ['src/server/admin/a.ts', '#server/app.ts', 'root-is-above'],
  ['src/server/demo/a.ts', '#server/app.ts', 'root-is-above'],
  ['src/server/tasks/a.ts', '#server/commands/commands.ts', 'root-is-above'],
  ['src/server/tasks/a.ts', '#server/people/people.store.ts', 'store-is-private'],
  ['src/server/tasks/a.ts', './sprints/sprints.store.ts', 'store-is-private'],
  ['src/server/tasks/sprints/a.ts', '../tasks.store.ts', 'store-is-private'],
  ['src/server/app.ts', './people/people.store.ts', 'store-behind-service'],
  ['src/web/a.ts', '#server/app.ts', 'web-not-to-server'],
  ['src/web/ui/a.tsx', '#web/charts/bars.tsx', 'web-ui-not-upwards'],
  ['src/web/api/a.ts', '#web/shell/layout.tsx', 'web-api-not-upwards'],
  ['src/web/shell/a.tsx', '#web/people/users/users-page.tsx', 'web-shell-not-upwards'],
  ['src/web/shell/a.tsx', '../router.tsx', 'web-shell-not-upwards'],
  ['src/web/people/users/a.tsx', '#web/tasks/shared/rules.ts', 'web-people-not-upwards'],
  ['src/web/notifications/a.tsx', '#web/admin/tools-page.tsx', 'web-notifications-not-upwards'],
  ['src/web/admin/audit/a.tsx', '#web/main.tsx', 'web-admin-not-upwards'],
  ['src/web/tasks/board/a.tsx', '../stats/stats-page.tsx', 'page-not-to-page'],
  ['src/web/tasks/board/a.tsx', '#web/people/users/users-page.tsx', 'page-not-to-page'],
  ['src/web/admin/a.tsx', '#web/people/users/users-page.tsx', 'area-by-its-shared-parts'],
  ['src/web/ui/a.tsx', '#web/api/session.ts', 'ui-knows-no-route'],
  ['src/web/charts/a.tsx', '#web/api/session.ts', 'ui-knows-no-route'],
  ['src/server/a.ts', '../../test/database.ts', 'product-not-to-tests'],
  ['src/web/a.ts', './b.test.ts', 'product-not-to-tests'],
];
const allowed: [from: string, specifier: string][] = [
  ['src/core/numbers/a.ts', '../access/access.ts'],
  ['src/core/a.test.ts', 'node:fs'],
  ['src/server/tasks/a.ts', '#server/people/people.service.ts'],
  ['src/server/tasks/a.ts', './sprints/sprints.service.ts'],
  ['src/server/tasks/a.test.ts', '#server/notifications/notices.service.ts'],
  ['src/server/commands/a.ts', '#server/app.ts'],
  ['src/server/app.ts', '#server/demo/seed.ts'],
  ['src/server/tasks/a.ts', './tasks.store.ts'],
  ['src/server/tasks/a.ts', '#core/tasks/task.ts'],
  ['src/web/tasks/board/a.tsx', '#web/ui/theme.ts'],
  ['src/web/tasks/board/a.tsx', '../shared/rules.ts'],
  ['src/web/tasks/tasks-page.tsx', './stats/stats-page.tsx'],
  ['src/web/admin/a.tsx', '#web/tasks/shared/rules.ts'],
  ['src/web/router.tsx', '#web/tasks/stats/stats-page.tsx'],
];

// `npm test` runs dependency-cruiser over the whole tree; here only that each of its rules can fail.
describe('dependency-cruiser', () => {
  const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    forbidden: IForbiddenRuleType[];
  };
  const folder = mkdtempSync(join(tmpdir(), 'walls-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const targets = {
    'src/core/access/access.ts': '',
    'src/core/numbers/periods.ts': '',
    'src/core/admin/settings.ts': '',
    'src/core/tasks/task.ts': '',
    'src/server/people/people.service.ts': '',
    'src/server/tasks/tasks.store.ts': '',
    'src/server/tasks/sprints/sprints.service.ts': '',
    'src/server/tasks/sprints/sprints.store.ts': '',
    'src/server/notifications/notices.service.ts': '',
    'src/server/commands/commands.ts': '',
    'src/server/demo/seed.ts': '',
    'src/web/ui/theme.ts': '',
    'src/web/charts/bars.tsx': '',
    'src/web/tasks/shared/rules.ts': '',
    'src/server/app.ts': '',
    'src/web/main.tsx': '',
    'src/server/people/people.store.ts': '',
    'src/web/tasks/stats/stats-page.tsx': '',
    'src/web/people/users/users-page.tsx': '',
    'src/web/admin/tools-page.tsx': '',
    'src/web/router.tsx': '',
    'src/web/api/session.ts': '',
    'src/web/shell/layout.tsx': '',
    'src/web/b.test.ts': '',
    'test/database.ts': '',
  };

  it('catches each of these imports, and lets the others pass', async () => {
    const imports = JSON.stringify({
      type: 'module',
      imports: { '#core/*': './src/core/*', '#server/*': './src/server/*', '#web/*': './src/web/*' },
    });
    for (const [path, text] of Object.entries({ ...targets, 'package.json': imports })) write(path, `${text}\n`);
    // A target of others may be planted in too: the planted file is next to it.
    const planted = (from: string, index: number | string) =>
      from.replace(/(\w+)((\.test)?\.tsx?)$/, `planted-${index}$2`);
    forbidden.forEach(([from, specifier], index) => {
      write(planted(from, index), `import * as a from '${specifier}';\na;\n`);
    });
    allowed.forEach(([from, specifier], index) => {
      write(planted(from, `allowed-${index}`), `import * as a from '${specifier}';\na;\n`);
    });
    const { output } = await cruise(['src'], {
      ruleSet: { forbidden: config.forbidden.filter(({ name }) => name !== 'resolvable') },
      validate: true,
      baseDir: folder,
      tsPreCompilationDeps: true,
      enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import'], extensions: ['.ts', '.tsx'] },
    });
    const caught = (output as ICruiseResult).summary.violations.map(({ from, rule }) => `${rule.name} ${from}`);
    forbidden.forEach(([from, , rule], index) => {
      expect(caught).toContain(`${rule} ${planted(from, index)}`);
    });
    expect(caught.filter((violation) => violation.includes('allowed'))).toEqual([]);
  });

  it('says with every rule where the code belongs', () => {
    for (const rule of config.forbidden) {
      expect(rule.severity, rule.name).toBe('error');
      expect(rule.comment?.length, rule.name).toBeGreaterThan(40);
    }
  });
});

describe('the compiler', () => {
  const projectOf = (room: string) => {
    const path = `${room}/tsconfig.json`;
    const { config } = ts.parseConfigFileTextToJson(path, textOf(path)) as {
      config: { compilerOptions: Record<string, string[]>; references?: { path: string }[] };
    };
    return {
      options: config.compilerOptions,
      references: (config.references ?? []).map((reference) => reference.path),
    };
  };

  it('knows neither Node nor the DOM in the core', () => {
    const { options, references } = projectOf('src/core');
    expect(options.types).toEqual([]);
    expect(options.lib?.filter((lib) => /dom/i.test(lib))).toEqual([]);
    expect(references).toEqual([]);
  });
  it('knows no DOM in the server and no Node in the web, and the core in both', () => {
    const [server, web] = [projectOf('src/server'), projectOf('src/web')];
    expect(server.options.lib?.filter((lib) => /dom/i.test(lib))).toEqual([]);
    expect(server.references).toEqual(['../core']);
    expect(web.options.types).not.toContain('node');
    expect(web.references).toEqual(['../core']);
  });
  it('is strict and erases only', () => {
    const { config } = ts.parseConfigFileTextToJson('tsconfig.base.json', textOf('tsconfig.base.json'));
    expect(config.compilerOptions).toMatchObject({
      strict: true,
      erasableSyntaxOnly: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
    });
  });
  it('checks every room', () => {
    const { config } = ts.parseConfigFileTextToJson('tsconfig.json', textOf('tsconfig.json'));
    expect(config.references.map(({ path }: { path: string }) => path)).toEqual([
      './src/core',
      './src/server',
      './src/web',
      './test',
    ]);
  });
});

it('there are three aliases, one a room', () => {
  expect(Object.keys(JSON.parse(textOf('package.json')).imports)).toEqual(['#core/*', '#server/*', '#web/*']);
});
