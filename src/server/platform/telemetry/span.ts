// The server's own tracing interface, independent of the exporter.
import type { Registry } from 'prom-client';

export type Attributes = Readonly<Record<string, string | number>>;

export type Span = {
  readonly traceId: string;
  /** Names and attributes may become known later. */
  describe(name: string, attributes?: Attributes): void;
  end(error?: unknown): void;
};

type Kind = 'server' | 'client' | 'internal';

/** Implemented by exporter.ts with OpenTelemetry. */
export type Exporter = {
  /** `parent`: one of our spans, or the headers of an incoming request. */
  startSpan(name: string, kind: Kind, attributes: Attributes, parent: Span | IncomingHeaders | undefined): Span;
  offerMetrics(register: Registry): void;
  stop(): Promise<void>;
};

export type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;
