// Whatever people type is text: put into every field that people type in, it runs on no page that shows it
// (T7).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses } from './addresses.ts';
import { settled, type Visitor, visit } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const run = 'alert(1)';
const payloads = [
  `<script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `"><svg/onload=${run}//`,
  `'><img src=x onerror=${run}>`,
  `</textarea><script>${run}</script>`,
  `</title><img src=x onerror=${run}>`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<a href="javascript:${run}">x</a>`,
  `[x](javascript:${run})`,
  `![x](x"onerror="${run})`,
  `[x](data:text/html,<script>${run}</script>)`,
  `<javascript:${run}>`,
  `<details open ontoggle=${run}>`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<base href="https://evil.test/">`,
  `<link rel=stylesheet href="https://evil.test/x.css">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<form action="javascript:${run}"><button>x</button></form>`,
  `<style>@import "https://evil.test/x.css"</style>`,
  `<x style="background:url(https://evil.test/x.png)">`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `<%= ${run} %>`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `\\u003cscript\\u003e${run}\\u003c/script\\u003e`,
  `javascript:${run}`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<template><script>${run}</script></template>`,
  `<xmp><p title="</xmp><svg/onload=${run}>">`,
  `<!--><img src=x onerror=${run}>-->`,
  `<![CDATA[<script>${run}</script>]]>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `<SCRIPT SRC=https://evil.test/x.js></SCRIPT>`,
];

/** What people type, by its column. */
const typed: readonly (readonly [table: string, column: string])[] = [
  ['tasks', 'title'],
  ['tasks', 'summary'],
  ['tasks', 'change'],
  ['tasks', 'reason'],
  ['task_notes', 'text'],
  ['task_notes', 'author_name'],
  ['task_attachments', 'file_name'],
  ['task_history', 'change'],
  ['task_history', 'actor_name'],
  ['people', 'first_name'],
  ['people', 'last_name'],
  ['sprints', 'name'],
  ['meetings', 'title'],
  ['meetings', 'place'],
  ['meetings', 'agenda'],
  ['guideline_versions', 'text'],
  ['guideline_versions', 'note'],
  ['role_requirements', 'title'],
  ['role_evidence', 'note'],
  ['bonus_messages', 'text'],
  ['tool_cards', 'title'],
  ['tool_cards', 'description'],
];

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  for (const [table, column] of typed)
    await server.sql(
      `with numbered as (select ctid as row, row_number() over (order by ctid) as number from ${table})
       update ${table} t set ${column} = ($1::text[])[1 + n.number % $2::int] from numbered n where t.ctid = n.row`,
      [payloads, payloads.length],
    );
});
afterAll(() => server.stop());

/** Everything by which a page would show that it ran or followed typed markup. */
function watch({ page, context }: Visitor): string[] {
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(`a dialog on ${page.url()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url()))
      ran.push(`asked ${request.url()}`);
  });
  return ran;
}

async function look(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  const bad = page
    .locator('main')
    .locator('a[href^="javascript:" i], a[href^="data:" i], iframe, object, embed, script');
  return (await bad.count()) === 0 ? [] : [`${address} has ${await bad.first().evaluate((node) => node.outerHTML)}`];
}

test('the browser stops what would run, so that a mistake in a page is not enough', async () => {
  const visitor = await visit(server.url, 'admin');
  const ran = watch(visitor);
  const { page, complaints } = visitor;
  await page.goto('/dashboard');
  await settled(page);
  expect(complaints).toEqual([]);
  const stopped = await page.evaluate(() => {
    const names: string[] = [];
    // `eval` is not among them: what a debugger evaluates may use it, whatever the policy says.
    for (const write of [
      () => document.createElement('img').setAttribute('onerror', 'alert(1)'),
      () => Object.assign(document.body, { innerHTML: '<b>x</b>' }),
      () =>
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('x', {}),
    ]) {
      try {
        write();
        names.push('written');
      } catch (error) {
        names.push((error as Error).name);
      }
    }
    return names;
  });
  expect(stopped).toEqual(['TypeError', 'TypeError', 'TypeError']);
  expect(ran).toEqual([]);
  await visitor.close();
});

test.for(['admin', 'approver'] as const)('markup in every text is text on every page that %s sees', async (person) => {
  const visitor = await visit(server.url, person);
  const ran = watch(visitor);
  const { page, complaints } = visitor;
  const [task] = await server.sql<{ id: string }>(
    `select t.id::text from tasks t join approvers a on a.person_id = t.owner_id join people p on p.id = a.approver_id
     where p.email = 'approver@demo.test' and exists (select from task_notes n where n.task_id = t.id) order by t.id desc limit 1`,
  );
  // Whatever text the others got, one note has them all.
  await server.sql('update task_notes set text = $1 where task_id = $2', [payloads.join('\n\n'), task?.id]);
  const found: string[] = [];
  const entered = addresses.filter((address) => person === 'admin' || address.startsWith('/top-5'));
  for (const address of [...entered, `/top-5/approvals?task=${task?.id}`]) found.push(...(await look(page, address)));
  expect([found, ran, complaints]).toEqual([[], [], []]);
  await page.locator('main').getByText(run).first().waitFor();
  await visitor.close();
});
