// An OpenTelemetry collector: takes OTLP over HTTP as JSON, and keeps what came.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attribute = { key: string; value: Value };
export type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
};
export type SentMetric = { readonly name: string; readonly [kind: string]: unknown };

export type TraceCollector = {
  readonly url: string;
  readonly spans: SentSpan[];
  readonly metrics: SentMetric[];
  readonly resources: Attribute[][];
  readonly headers: IncomingHttpHeaders[];
  /** Everything that came, as text. */
  readonly text: () => string;
  stop(): Promise<void>;
};

type Batch<Scope> = { resource: { attributes: Attribute[] } } & Scope;
type Body = {
  resourceSpans?: Batch<{ scopeSpans: { spans: SentSpan[] }[] }>[];
  resourceMetrics?: Batch<{ scopeMetrics: { metrics: SentMetric[] }[] }>[];
};

export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: Body[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const spans: SentSpan[] = [];
  const metrics: SentMetric[] = [];
  const resources: Attribute[][] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Body;
    bodies.push(body);
    headers.push(request.headers);
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      resources.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      metrics.push(...scopeMetrics.flatMap((scope) => scope.metrics));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    resources,
    headers,
    text: () => JSON.stringify(bodies),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => {});
    },
  };
}
