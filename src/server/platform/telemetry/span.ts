// What the server knows of a trace, whatever sends it.
import type { Registry } from 'prom-client';

export type Attributes = Readonly<Record<string, string | number>>;

export type Span = {
  readonly traceId: string;
  /** Names and attributes may become known on the way. */
  describe(name: string, attributes?: Attributes): void;
  end(error?: unknown): void;
};

type Kind = 'server' | 'client' | 'internal';

/** What exporter.ts does with OpenTelemetry. */
export type Exporter = {
  /** `parent`: a span of ours, or the headers of a request from outside. */
  startSpan(name: string, kind: Kind, attributes: Attributes, parent: Span | IncomingHeaders | undefined): Span;
  offerMetrics(register: Registry): void;
  stop(): Promise<void>;
};

export type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;
