// Alert rules ask for metrics that a server really has: a rule about another name would never fire.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sealAudit } from '#server/platform/audit/seal-audit.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';

const token = '0123456789abcdef0123456789abcdef';
let app: TestApp;
let body: string;

beforeAll(async () => {
  app = await startTestApp({ env: { METRICS_TOKEN: token } });
  for (const url of ['/graphql', '/api/auth/login']) await app.call({ method: 'POST', url, payload: {} });
  ({ body } = await app.call({ url: '/metrics', headers: { authorization: `Bearer ${token}` } }));
});
afterAll(() => app.stop());

const rules = readFileSync(new URL('../../../../examples/alerts.yaml', import.meta.url), 'utf8')
  .split('- alert: ')
  .slice(1)
  .map((text) => ({ name: text.split('\n')[0] as string, expr: /expr: (.*)/.exec(text)?.[1] ?? '' }));

/** Labels that Prometheus itself adds. */
const prometheusMetrics = new Set(['up', 'job', 'instance']);
const functions = new Set(['max', 'by', 'sum', 'rate', 'histogram_quantile', 'min_over_time', 'le']);

it.each(rules)('$name', ({ expr }) => {
  const words = expr.replaceAll(/"[^"]*"/g, '').match(/[a-z_][a-z0-9_]*/g) ?? [];
  const names = words.filter((word) => !functions.has(word) && !prometheusMetrics.has(word) && !/^[ms]$/.test(word));
  expect(names.length + Number(expr.startsWith('up'))).toBeGreaterThan(0);
  for (const name of names) expect(body).toMatch(new RegExp(`^(.*[{,])?${name}[{= ]`, 'm'));
  for (const [label] of expr.matchAll(/\b(?:route|state)="[^"]*"/g)) expect(body).toContain(label);
});

it('and every metric has the prefix of the product', () => {
  const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !name?.startsWith('staff_dashboard_'))).toEqual([]);
});

it('are all there, and say what a check says', () => {
  expect(rules.length).toBeGreaterThan(8);
  for (const check of ['database', 'disk', 'clock'])
    expect(body).toContain(`staff_dashboard_not_ready{check="${check}"} 0`);
  expect(body).toMatch(/^staff_dashboard_audit_rows_unsealed \d+$/m);
});

it('AuditLogNotSealed rests on a busy site, and fires where a row stays unsealed', async () => {
  const rule = rules.find(({ name }) => name === 'AuditLogNotSealed')!;
  const [, metric = '', limit] = /max\((\w+)\) > (\d+)/.exec(rule.expr) ?? [];
  const age = async () => {
    const { body: now } = await app.call({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
    return Number(new RegExp(`^${metric} (.+)$`, 'm').exec(now)?.[1]);
  };
  const write = (at: string) =>
    app.asOwner(
      `insert into audit_log (action, subject_type, subject_id, at, request_id) values ('x', 'person', '1', ${at}, 'r')`,
    );
  await sealAudit(app.database);
  expect(await age()).toBe(0);
  // New rows wait at each check, but none for long.
  for (let look = 0; look < 3; look += 1) {
    await write('clock_timestamp()');
    expect(await age()).toBeLessThan(Number(limit));
    await sealAudit(app.database);
  }
  await write("clock_timestamp() - interval '10 minutes'");
  await write('clock_timestamp()');
  expect(await age()).toBeGreaterThan(Number(limit));
});
