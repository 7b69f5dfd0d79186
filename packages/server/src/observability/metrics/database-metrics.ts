import type { DatabaseMetrics } from '../../platform/storage/database-metrics.ts';
import type { Family, Sample } from './exposition.ts';

/** Connection pools by purpose, such as `console` and `relay`. */
export type NamedDatabaseMetrics = ReadonlyMap<string, DatabaseMetrics>;

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
