// The metrics of `/metrics` for OpenTelemetry, with the same names and values.
import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';

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

export function metricsOf(register: Registry, resource: Resource): MetricProducer {
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
