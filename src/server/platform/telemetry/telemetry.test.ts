// The whole server with a real collector: what it sends, and that it loads nothing without one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { type ServerProcess, signInOver, spawnServer } from '../../../../test/server-process.ts';
import { startTraceCollector } from '../../../../test/trace-collector.ts';

const account = { email: 'admin@example.test', password: 'a password for the first admin' };
const dataDir = mkdtempSync(join(tmpdir(), 'telemetry-'));
/** Writes the name of every OpenTelemetry package that is loaded. */
const watcher = join(dataDir, 'watch.mjs');
let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  writeFileSync(
    watcher,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(name, context, next) {
       if (name.startsWith('@opentelemetry/')) console.error('loaded ' + name);
       return next(name, context);
     } });`,
  );
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = (env: Record<string, string>): ServerProcess =>
  spawnServer({
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LINK_SECRET: '0123456789abcdef0123456789abcdef',
      ADMIN_EMAIL: account.email,
      ADMIN_PASSWORD: account.password,
      ...env,
    },
    nodeOptions: ['--import', watcher],
  });

async function ask(url: string, query: string, headers: Record<string, string> = {}): Promise<number> {
  const token = await signInOver(url, account);
  const { status } = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query }),
  });
  return status;
}

test('without a collector no package of OpenTelemetry is loaded', async () => {
  const server = start({});
  expect(await ask(await server.listening(), '{ myWeek { tasks { id } } }')).toBe(200);
  await server.stop();
  // Other packages load the bare interface without an exporter.
  expect(server.output().replaceAll('loaded @opentelemetry/api\n', '')).not.toContain('loaded @opentelemetry/');
});

test('with one, a request is a trace with its operation and statements, and nothing that anybody typed', async () => {
  const collector = await startTraceCollector();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const server = start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=canary-header%3D',
    OTEL_SERVICE_NAME: 'staff',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  try {
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    expect(await ask(await server.listening(), 'query Week { myWeek { tasks { id } } }', headers)).toBe(200);
    await server.stop();
    expect(server.output()).toContain('loaded @opentelemetry/sdk-trace');
    const trace = collector.spans.filter((span) => span.traceId === traceId);
    const request = trace.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
    expect(request?.name).toBe('query Week');
    const operation = trace.find(({ name, spanId }) => name === 'query Week' && spanId !== request?.spanId);
    expect(operation?.parentSpanId).toBe(request?.spanId);
    const statements = trace.filter(({ name }) => name.startsWith('SELECT'));
    expect(statements.length).toBeGreaterThan(0);
    const parents = new Set([request?.spanId, operation?.spanId]);
    expect(statements.filter(({ parentSpanId }) => !parents.has(parentSpanId))).toEqual([]);
    expect(statements.some(({ parentSpanId }) => parentSpanId === operation?.spanId)).toBe(true);
    // The sign-in is a trace of another request.
    const other = collector.spans.find(({ name }) => name === 'POST /api/auth/login');
    expect(other?.traceId).not.toBe(traceId);
    expect(collector.resources[0]).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'staff' } },
        { key: 'deployment.environment.name', value: { stringValue: 'test' } },
      ]),
    );
    expect(collector.headers.every((sent) => sent['x-api-key'] === 'canary-header=')).toBe(true);
    const answered = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"operation":"query Week"'));
    expect(answered).toEqual([expect.stringContaining(`"trace":"${traceId}"`)]);
    expect(collector.text()).not.toMatch(/canary|first admin|example\.test/);
    const duration = collector.metrics.find(({ name }) => name === 'staff_dashboard_http_request_duration_seconds');
    expect(duration).toMatchObject({ histogram: { dataPoints: expect.arrayContaining([expect.anything()]) } });
    expect(collector.metrics.map(({ name }) => name)).toContain('staff_dashboard_process_resident_memory_bytes');
  } finally {
    await server.kill();
    await collector.stop();
  }
});

test.each(['always_off', 'traceidratio'])('OTEL_TRACES_SAMPLER=%s keeps traces back', async (sampler) => {
  const collector = await startTraceCollector();
  const server = start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  try {
    expect(await ask(await server.listening(), '{ myWeek { tasks { id } } }')).toBe(200);
    await server.stop();
    expect(collector.spans).toEqual([]);
    expect(collector.metrics.length).toBeGreaterThan(0);
  } finally {
    await server.kill();
    await collector.stop();
  }
});

test('a collector that is down fails no request, and is said once', async () => {
  const collector = await startTraceCollector();
  await collector.stop();
  const server = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  try {
    const url = await server.listening();
    for (let round = 0; round < 3; round += 1) expect(await ask(url, '{ myWeek { tasks { id } } }')).toBe(200);
    await expect.poll(() => server.output()).toContain('cannot be delivered');
    expect(await server.stop()).toBe(0);
    expect(server.output().match(/traces and metrics cannot be delivered/g)).toHaveLength(1);
    expect(server.output()).not.toContain('are delivered again');
  } finally {
    await server.kill();
  }
});
