// Traces: a no-op until OTEL_EXPORTER_OTLP_ENDPOINT is set. Only then are OpenTelemetry's packages loaded.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Attributes, Exporter, IncomingHeaders, Span } from './span.ts';
import type { TelemetryConfig } from './telemetry-config.ts';

let exporter: Exporter | undefined;
let metrics: Registry | undefined;
/** The innermost current span. Replaceable during a request, for hooks that only see part of it. */
const current = new AsyncLocalStorage<{ span: Span }>();

export const isTracing = (): boolean => exporter !== undefined;

/** Starts telemetry if configured; returns the function that flushes and stops it. */
export async function startTelemetry(
  config: TelemetryConfig | undefined,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<() => Promise<void>> {
  if (config === undefined) return async () => {};
  const { openExporter } = await import('./exporter.ts');
  const opened = openExporter(config, log);
  exporter = opened;
  if (metrics) opened.offerMetrics(metrics);
  return async () => {
    exporter = undefined;
    await opened.stop();
  };
}

/** Registers the metrics to send, if telemetry is configured. */
export function offerMetrics(register: Registry): void {
  metrics = register;
  exporter?.offerMetrics(register);
}

/** Starts the span of a request and runs `next` in it. */
export function enterRequest(name: string, headers: IncomingHeaders, next: () => void): Span | undefined {
  const span = exporter?.startSpan(name, 'server', {}, headers);
  if (span === undefined) {
    next();
    return undefined;
  }
  current.run({ span }, next);
  return span;
}

/** Runs `next` in an existing span, because socket events arrive outside the request. */
export function continueIn(span: Span, next: () => void): void {
  current.run({ span }, next);
}

/** Starts a span for the rest of the request; returns the function that ends it. */
export function beginPart(name: string, attributes: Attributes): (() => void) | undefined {
  const holder = current.getStore();
  if (!exporter || !holder) return undefined;
  const outer = holder.span;
  const span = exporter.startSpan(name, 'internal', attributes, outer);
  holder.span = span;
  return () => {
    holder.span = outer;
    span.end();
  };
}

/** Runs `work` in a span. Outside a request, such as in a timer, it starts a new trace. */
export async function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!exporter) return work();
  const span = exporter.startSpan(name, 'client', attributes, current.getStore()?.span);
  try {
    const result = await current.run({ span }, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

const traceparent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

/** The trace id that a request brings along. */
export function incomingTraceId({ traceparent: given }: IncomingHeaders): string | undefined {
  return typeof given === 'string' ? traceparent.exec(given)?.[1] : undefined;
}
