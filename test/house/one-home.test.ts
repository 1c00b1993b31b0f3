import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as rules from './home-rules.ts';
import { against, filesUnder, isTest, nodesOf, type Source, source, sourcesUnder, textOf } from './source.ts';

const product = sourcesUnder('src').filter(({ path }) => !isTest(path));
const rooms = product.filter(({ path }) => !path.startsWith('src/core/'));
const web = product.filter(({ path }) => path.startsWith('src/web/'));

type Law = {
  readonly rule: (file: Source) => string[];
  readonly files: readonly Source[];
  readonly exceptions: Readonly<Record<string, string>>;
  readonly broken: readonly string[];
  readonly kept: readonly string[];
};

const laws: Record<string, Law> = {
  'the name of a permission stands in core/permissions': {
    rule: rules.permissionNames,
    files: product,
    exceptions: {
      'src/core/access/permissions.ts': 'their home',
      'src/core/access/routes.ts': 'which page needs which',
      'src/core/access/products.ts': 'which product needs which',
      'src/core/access/brands.ts': 'which scope needs which',
      'src/core/access/navigation.ts': 'the group Tools has one and no route',
      'src/core/access/call-access.ts': 'which call needs which',
      'src/core/access/access.ts': 'what makes a person top-5-only (D12)',
      'src/core/tasks/task.ts': 'who keeps and who decides tasks (D15, D38)',
      'src/server/demo/demo-accounts.ts': 'what the demo accounts hold',
    },
    broken: [
      "const a = 'VIEW_SALES';",
      "const a = `select 1 where 'VIEW_TOP_5' = any($" + '{b})`;',
      'const a = { USER_MANAGEMENT: 1 };',
      'const a = permissions.READ_BGP;',
      "const a = 'IVIEW_X VIEW_WHO_LIVES_DONATIONS';",
    ],
    kept: ["const a = 'VIEW';", "const a = 'READ ONLY';", '// VIEW_SALES\nconst a = 1;', "const a = 'PREVIEW_SALES';"],
  },
  'the path of a page stands in core/routes': {
    rule: rules.pathLiterals,
    files: rooms,
    exceptions: {
      'src/web/page-of-route.ts': 'a Record over the paths of the core: a gap or a slip does not compile',
    },
    broken: [
      "const a = '/sales';",
      "go('/top-5/tasks?task=1');",
      'const a = `/donations?product=$' + '{b}`;',
      "const a: string = '/error';",
      "const a = { '/tools': 1 };",
      '<a href="/sales" />;',
    ],
    kept: [
      "const a: Path = '/sales';",
      "const a = '/sales' satisfies Path;",
      "useAddress('/sales');",
      '<Link to="/sales" />;',
      "linkOptions({ to: '/sales' });",
      "const a = '/graphql';",
      "const a = '/';",
      "import a from '/sales';",
      "const a = 'sales';",
    ],
  },
  'the title of a status stands in core/task-status': {
    rule: rules.statusTitles,
    files: rooms,
    exceptions: {},
    broken: ["const a = 'Signed Off';", 'const a = <p>Awaiting Approval</p>;', "const a = { 'To Do': 1 };"],
    kept: ["const a = '% Completed';", "const a = 'signed off';", '// Signed Off\nconst a = 1;'],
  },
  'numbers, lists and names are written and sorted by core/base/formats': {
    rule: rules.ownFormats,
    files: product,
    exceptions: {
      'src/core/base/formats.ts': 'their home',
      'src/web/charts/number-format.ts': 'money, shares and short numbers of charts',
      'src/web/numbers/tiles/bar-tiles.tsx': 'a share with two digits, however small',
      'src/server/demo/demo-company.ts': 'the name of a month in a title of the demo',
    },
    broken: [
      "const a = b.toLocaleString('en');",
      "const a = new Intl.NumberFormat('en-US');",
      "const a = new Intl.Collator('en');",
      "const a = b.localeCompare(c, 'en');",
    ],
    kept: ['const a = b.localeCompare(c);', 'const a = countWords(b);', "const a = new Intl.DateTimeFormat('en');"],
  },
  'who approves whom is asked of one view': {
    rule: rules.approverTables,
    files: product,
    exceptions: {
      'src/server/people/approver-tables.ts': 'the view',
      'src/server/people/approvers.store.ts': 'changes them, and shows which are a person’s own',
      'src/server/tasks/import/tasks-import.store.ts': 'brings people in with their approver',
    },
    broken: [
      'const a = sql`select 1 from approvers a where a.person_id = $' + '{b}`;',
      "query('insert into approvers values (1, 2)');",
    ],
    kept: ["const a = 'select 1 from effective_approvers';", "const a = 'the approvers of people';"],
  },
  'the words of a refusal stand in core/refusals': {
    rule: rules.refusalMessages,
    files: rooms,
    exceptions: {},
    broken: ["const a = 'Something went wrong';", 'const a = <p>This page could not be found</p>;'],
    kept: ["const a = 'Something else went wrong';"],
  },
  'forms, dialogs, tables, lists and changes have one recipe': {
    rule: rules.secondWays,
    files: web,
    exceptions: {
      'src/web/ui/form.tsx': 'the recipe',
      'src/web/ui/dialog.tsx': 'the recipe',
      'src/web/ui/side-panel.tsx': 'the recipe',
      'src/web/shell/identity/plain-form.tsx': 'the login page would be 6 KiB larger with the other one',
      'src/web/shell/drawer-modal.tsx': 'the navigation is neither a dialog nor a side panel',
      'src/web/ui/data-table.tsx': 'the recipe',
      'src/web/api/list-query.ts': 'the recipe',
      'src/web/api/change.ts': 'the recipe',
      'src/web/tasks/shared/mutations.ts': 'a task’s guess is part of its pending call, and changes follow each other',
      'src/web/tasks/shared/exits.ts': 'one Undo for several calls, in the same order as the task’s other changes',
      'src/web/tasks/shared/new-tasks.ts': 'Undo withdraws every task of a pasted list',
      'src/web/tasks/inbox/decisions.ts': 'some of the decisions may fail, and Undo takes back the others',
      'src/web/people/users/user-form.tsx': 'a form saves many fields, and Undo restores approvers alone',
      'src/web/access/role-editor/roles-part.tsx': 'Undo opens a review instead of saving',
      'src/web/ui/markdown-rendered.tsx': 'a table that somebody wrote',
      'src/web/charts/chart-table.tsx': 'the numbers of a chart, in its place and its height',
      'src/web/access/role-editor/role-matrix.tsx': 'a grid of checkboxes: permissions by roles',
      'src/web/access/role-editor/difference-dialog.tsx': 'three fixed columns without order or pages',
      'src/web/admin/audit/audit-log.tsx': 'three fixed columns without order or pages',
      'src/web/notifications/notice-choices.tsx': 'a grid of checkboxes: kinds by places',
      'src/web/toolbox/bonus/plan-dialog.tsx': 'a grid of fields: parts by points of a curve',
      'src/web/toolbox/bonus/plan-panel.tsx': 'a calculation with its total',
      'src/web/toolbox/time-tracker/week-panel.tsx': 'a grid of hours: tasks by days',
      'src/web/numbers/drill-down/drill-down-rows.tsx': 'the columns of an import, as many as it has',
    },
    broken: [
      'const a = <form onSubmit={b}>c</form>;',
      "import { Modal } from '@mantine/core';",
      "import { Button, Drawer } from '@mantine/core';",
      'const a = <table>b</table>;',
      "import { useInfiniteQuery } from '@tanstack/react-query';",
      'useMutation({ mutationFn: a, onMutate: b });',
      'showToast({ message: a, onUndo: () => b() });',
      'showToast({ message: a, onUndo });',
    ],
    kept: [
      'const a = <Form form={b}>c</Form>;',
      'const a = <button form="b">c</button>;',
      "import { useQuery } from '@tanstack/react-query';",
      'useMutation({ mutationFn: a, onSuccess: b });',
      "import { Button } from '@mantine/core';",
    ],
  },
  'a colour is a token of src/web/ui': {
    rule: rules.colourLiterals,
    files: web.filter(({ path }) => !path.startsWith('src/web/ui/')),
    exceptions: {},
    broken: ["const a = '#fff';", "const a = 'rgb(1, 2, 3)';", "const a = '1px solid #AABBCC';"],
    kept: ["const a = '#core/x';", "const a = 'var(--status-todo)';", "const a = '#main';"],
  },
};

describe.each(Object.entries(laws))('%s', (_name, { rule, files, exceptions, broken, kept }) => {
  it.each(broken)('catches %s', (text) => {
    expect(rule(source('src/web/x.tsx', text))).toHaveLength(1);
  });
  it.each(kept)('leaves %s alone', (text) => {
    expect(rule(source('src/web/x.tsx', text))).toEqual([]);
  });
  it('holds in every file', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(against(files.flatMap(rule), exceptions)).toEqual([]);
  });
});

describe('a colour in a style sheet', () => {
  it.each(['a { color: #fff; }', 'a {\n  color: rgb(1 2 3);\n}'])('is caught: %s', (text) => {
    expect(rules.colourOfSheet('src/web/x.css', text)).toHaveLength(1);
  });
  it.each(['a { color: var(--ink); }', '/* #fff */', 'a { mask: url(#f00); }'])('is none: %s', (text) => {
    expect(rules.colourOfSheet('src/web/x.css', text)).toEqual([]);
  });
  it('stands in src/web/ui only', () => {
    const sheets = filesUnder('src/web').filter((path) => path.endsWith('.css') && !path.startsWith('src/web/ui/'));
    expect(sheets.length).toBeGreaterThan(3);
    expect(sheets.flatMap((path) => rules.colourOfSheet(path, textOf(path)))).toEqual([]);
  });
});

it.each([
  ['1263', 'the width below which the drawer collapses (spec 9)'],
  ['1260', 'the widest content (spec 9)'],
])('%s, %s, is counted with in one place', (number) => {
  const counts = (file: Source) => nodesOf(file).some((node) => ts.isNumericLiteral(node) && node.text === number);
  expect(web.filter(counts).length).toBeLessThanOrEqual(1);
});
