import { readdirSync } from 'node:fs';
import type { DatabaseMetrics } from '../../platform/storage/database-metrics.ts';
import { type Family, gauge, type Sample } from './exposition.ts';

interface SpanCounts {
  readonly sent: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/** Empty when traces are off. */
export const traceMetrics = (counts: SpanCounts | undefined): readonly Family[] =>
  counts === undefined
    ? []
    : [
        {
          name: 'headgate_trace_spans_sent_total',
          type: 'counter',
          help: 'Spans accepted by the collector.',
          samples: [{ labels: {}, value: counts.sent }],
        },
        {
          name: 'headgate_trace_spans_dropped_total',
          type: 'counter',
          help: 'Dropped spans, by reason.',
          samples: Object.entries(counts.dropped).map(([reason, value]) => ({ labels: { reason }, value })),
        },
      ];

interface ExportLag {
  readonly name: string;
  readonly seconds: number;
}

/** Empty without log exports. */
export const logExportMetrics = (lags: readonly ExportLag[]): readonly Family[] =>
  lags.length === 0
    ? []
    : [
        {
          name: 'headgate_log_export_lag_seconds',
          type: 'gauge',
          help: 'Age of the oldest log that is not exported yet, by destination.',
          samples: lags.map(({ name, seconds }) => ({ labels: { destination: name }, value: seconds })),
        },
      ];

interface CallbackCount {
  readonly provider: string;
  readonly verdict: string;
  readonly count: number;
}

/** Empty without payments. */
export const paymentMetrics = (counts: readonly CallbackCount[]): readonly Family[] =>
  counts.length === 0
    ? []
    : [
        {
          name: 'headgate_payment_events_total',
          type: 'counter',
          help: 'Payment callbacks and responses of payment providers to queries, by provider and verdict.',
          samples: counts.map(({ provider, verdict, count }) => ({ labels: { provider, verdict }, value: count })),
        },
      ];

interface KeptBodyCounts {
  readonly kept: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/** Payload logging counts. */
export const payloadMetrics = ({ kept, dropped }: KeptBodyCounts): readonly Family[] => [
  {
    name: 'headgate_bodies_kept_total',
    type: 'counter',
    help: 'Requests with stored payloads.',
    samples: [{ labels: {}, value: kept }],
  },
  {
    name: 'headgate_bodies_dropped_total',
    type: 'counter',
    help: 'Requests whose payloads could not be stored, by reason.',
    samples: Object.entries(dropped).map(([reason, value]) => ({ labels: { reason }, value })),
  },
];

/** Connection pools by purpose, such as `console` and `relay`. */
type NamedDatabaseMetrics = ReadonlyMap<string, DatabaseMetrics>;

/** Metrics of the database connections. */
export function databaseMetrics(named: NamedDatabaseMetrics): readonly Family[] {
  const each = (samplesOf: (figures: DatabaseMetrics, pool: string) => readonly Sample[]) =>
    [...named].flatMap(([pool, figures]) => samplesOf(figures, pool));
  const withPool = new Map([...named].filter(([, { poolUse }]) => poolUse !== undefined));
  const eachPool = (samplesOf: (figures: DatabaseMetrics, pool: string) => readonly Sample[]) =>
    [...withPool].flatMap(([pool, figures]) => samplesOf(figures, pool));
  return [
    {
      name: 'headgate_database_errors_total',
      type: 'counter',
      help: 'Failed statements and connections, by kind.',
      samples: each(({ errors }, pool) => [...errors].map(([kind, value]) => ({ labels: { pool, kind }, value }))),
    },
    {
      name: 'headgate_database_connections',
      type: 'gauge',
      help: 'Database connections in use and idle, and requests waiting for one.',
      samples: eachPool(({ poolUse }, pool) =>
        Object.entries(poolUse?.() ?? {}).map(([state, value]) => ({ labels: { pool, state }, value })),
      ),
    },
    {
      name: 'headgate_database_connection_waits_total',
      type: 'counter',
      help: 'Number of waits for a connection.',
      samples: eachPool(({ waits }, pool) => [{ labels: { pool }, value: waits }]),
    },
    {
      name: 'headgate_database_connection_wait_seconds_total',
      type: 'counter',
      help: 'Total time spent waiting for a connection.',
      samples: eachPool(({ waitedMs }, pool) => [{ labels: { pool }, value: waitedMs / 1000 }]),
    },
  ];
}

/** Metrics of this process, under the names that Node dashboards expect. */
export function processMetrics(): readonly Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time, user and system.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Resident memory.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap reserved.', heapTotal),
    gauge('process_start_time_seconds', 'Start time of the process.', Math.round(performance.timeOrigin / 1000)),
    {
      name: 'nodejs_active_resources',
      help: 'Active resources that keep the event loop alive, by type.',
      type: 'gauge',
      samples: [...countsOf(process.getActiveResourcesInfo())].map(([type, value]) => ({ labels: { type }, value })),
    },
    ...openFiles(),
  ];
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Linux only. */
function openFiles(): readonly Family[] {
  if (process.platform !== 'linux') return [];
  return [gauge('process_open_fds', 'Open files and sockets.', readdirSync('/proc/self/fd').length)];
}
