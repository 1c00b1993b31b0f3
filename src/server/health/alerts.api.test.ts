// The rules that wake somebody ask for figures that a server really gives: a rule about another name would never fire.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';

let app: TestApp;
let body: string;

beforeAll(async () => {
  app = await startTestApp();
  for (const url of ['/graphql', '/api/auth/login']) await app.call({ method: 'POST', url, payload: {} });
  ({ body } = await app.call({ url: '/metrics' }));
});
afterAll(() => app.stop());

const rules = readFileSync(new URL('../../../examples/alerts.yaml', import.meta.url), 'utf8')
  .split('- alert: ')
  .slice(1)
  .map((text) => ({ name: text.split('\n')[0] as string, expr: /expr: (.*)/.exec(text)?.[1] ?? '' }));

/** What Prometheus itself knows of whom it asks. */
const ofPrometheus = new Set(['up', 'job', 'instance']);
const functions = new Set(['max', 'by', 'sum', 'rate', 'histogram_quantile', 'min_over_time', 'le']);

it.each(rules)('$name', ({ expr }) => {
  const words = expr.replaceAll(/"[^"]*"/g, '').match(/[a-z_][a-z0-9_]*/g) ?? [];
  const names = words.filter((word) => !functions.has(word) && !ofPrometheus.has(word) && !/^[ms]$/.test(word));
  expect(names.length + Number(expr.startsWith('up'))).toBeGreaterThan(0);
  for (const name of names) expect(body).toMatch(new RegExp(`^(.*[{,])?${name}[{= ]`, 'm'));
  for (const [label] of expr.matchAll(/\b(?:route|state)="[^"]*"/g)) expect(body).toContain(label);
});

it('are all there, and say what a check says', () => {
  expect(rules.length).toBeGreaterThan(8);
  for (const check of ['database', 'disk', 'clock']) expect(body).toContain(`not_ready{check="${check}"} 0`);
  expect(body).toMatch(/^audit_rows_unsealed \d+$/m);
});
