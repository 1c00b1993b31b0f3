// Where traces and metrics are sent, from the environment.
import type { Settings } from '../config/config-variables.ts';

export type TelemetryConfig = {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: Settings['OTEL_TRACES_SAMPLER'];
  /** The fraction of requests that a ratio sampler traces. */
  readonly ratio: number;
};

/** Undefined when nothing is sent. */
export function telemetryConfig(settings: Settings): TelemetryConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (!endpoint) return undefined;
  return {
    endpoint,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: settings.OTEL_SERVICE_NAME,
    attributes: settings.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}
