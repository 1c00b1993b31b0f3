// Sends traces and metrics to an OpenTelemetry collector. Loaded only when one is configured, so nothing else
// imports it.
import {
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  ValueType,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';
import type { Exporter, IncomingHeaders, Span } from './span.ts';
import type { TelemetryConfig } from './telemetry-config.ts';

// The metrics of `/metrics` for OpenTelemetry, with the same names and values.

type Metric = MetricObjectWithValues<MetricValue<string>>;
type Value = MetricValueWithName<string>;
type Time = DataPoint<number>['startTime'];

function timeOf(milliseconds: number): Time {
  const seconds = Math.floor(milliseconds / 1_000);
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)];
}

/** A Prometheus bucket includes those below it; an OpenTelemetry bucket doesn't. */
function histograms(
  values: readonly Value[],
  point: <T>(labels: object, value: T) => DataPoint<T>,
): DataPoint<Histogram>[] {
  const series = new Map<string, { labels: object; buckets: [number, number][]; sum: number; count: number }>();
  for (const { labels, value, metricName = '' } of values) {
    const { le, ...own } = labels as Record<string, string | number>;
    const key = JSON.stringify(own);
    const one = series.get(key) ?? { labels: own, buckets: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName.endsWith('_sum')) one.sum = value;
    else if (metricName.endsWith('_count')) one.count = value;
    else if (le !== '+Inf') one.buckets.push([Number(le), value]);
  }
  return [...series.values()].map(({ labels, buckets, sum, count }) => {
    const sorted = buckets.sort(([first], [second]) => first - second);
    const below = [...sorted.map(([, total]) => total), count];
    const counts = below.map((total, index) => total - (below[index - 1] ?? 0));
    return point(labels, { buckets: { boundaries: sorted.map(([boundary]) => boundary), counts }, sum, count });
  });
}

function metricDataOf(metric: Metric, startTime: Time, endTime: Time): MetricData | undefined {
  const type = String(metric.type);
  const values = metric.values.filter(({ value }) => Number.isFinite(value)) as Value[];
  const point = <T>(labels: object, value: T): DataPoint<T> => ({
    startTime,
    endTime,
    attributes: labels as Record<string, string>,
    value,
  });
  const shared = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const plain = () => values.map(({ labels, value }) => point(labels, value));
  if (type === 'counter')
    return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: plain() };
  if (type === 'gauge') return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: plain() };
  if (type !== 'histogram') return undefined;
  return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(values, point) };
}

function metricsOf(register: Registry, resource: Resource): MetricProducer {
  const startTime = timeOf(performance.timeOrigin);
  return {
    async collect() {
      const endTime = timeOf(performance.timeOrigin + performance.now());
      const read = (await register.getMetricsAsJSON()) as unknown as Metric[];
      const metrics = read.flatMap((metric) => metricDataOf(metric, startTime, endTime) ?? []);
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'staff-dashboard' }, metrics }] },
        errors: [],
      };
    },
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const metricsEveryMs = 15_000;
const sendMs = 5_000;
/** A collector that doesn't answer must not delay shutdown. */
const lastSendMs = 2_000;

function samplerOf({ sampler, ratio }: TelemetryConfig): Sampler {
  const root = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

type Sent = { code: number; error?: Error };
type Sends<T> = { export(items: T, done: (result: Sent) => void): void };

/**
 * Logs once when the collector is unreachable and once when it is back; a line per batch would fill the log.
 */
function reporting<T extends Sends<never>>(sender: T, report: (sent: Sent) => void): T {
  const send = sender.export.bind(sender);
  sender.export = (items, done) =>
    send(items, (result) => {
      report(result);
      done(result);
    });
  return sender;
}

function reporter({ endpoint }: TelemetryConfig, log: Pick<FastifyBaseLogger, 'info' | 'warn'>) {
  let isDown = false;
  return ({ code, error }: Sent) => {
    const failed = code !== 0;
    if (failed === isDown) return;
    isDown = failed;
    if (failed) log.warn({ err: error, endpoint }, 'traces and metrics cannot be delivered, and are dropped');
    else log.info({ endpoint }, 'traces and metrics are delivered again');
  };
}

function contextOf({ traceparent }: IncomingHeaders): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(traceparent)) ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED, isRemote: true };
}

export function openExporter(config: TelemetryConfig, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Exporter {
  const { endpoint, headers, serviceName, attributes } = config;
  const report = reporter(config, log);
  const resource = resourceFromAttributes({ ...attributes, 'service.name': serviceName });
  const to = (path: string) => ({ url: `${endpoint}/v1/${path}`, headers: { ...headers }, timeoutMillis: sendMs });
  const traces = new TracerProvider({
    resource,
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(new OTLPTraceExporter(to('traces')), report) })],
  });
  const tracer = traces.getTracer('staff-dashboard');
  let meters: MeterProvider | undefined;
  const contexts = new WeakMap<Span, SpanContext>();
  return {
    startSpan(name, kind, attributes, parent) {
      const above = parent && ('traceId' in parent ? contexts.get(parent as Span) : contextOf(parent));
      const context = above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, context);
      const started: Span = {
        traceId: span.spanContext().traceId,
        describe: (better, more = {}) => void span.updateName(better).setAttributes({ ...more }),
        end(error) {
          // Error messages may include user input.
          if (error !== undefined)
            span
              .setStatus({ code: SpanStatusCode.ERROR })
              .setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
          span.end();
        },
      };
      contexts.set(started, span.spanContext());
      return started;
    },
    offerMetrics(register: Registry) {
      const reader = new PeriodicExportingMetricReader({
        exporter: reporting(new OTLPMetricExporter(to('metrics')), report),
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: sendMs,
        metricProducers: [metricsOf(register, resource)],
      });
      meters = new MeterProvider({ resource, readers: [reader] });
    },
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, lastSendMs).unref());
      const all = Promise.allSettled([traces.shutdown(), meters?.shutdown()]);
      await Promise.race([all, late]);
    },
  };
}
