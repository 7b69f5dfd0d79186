import type { Generated } from 'kysely';

/** Processes that share the database. */
export interface NodeTable {
  id: string;
  name: string;
  version: string;
  started_time: number;
  /** JSON: settings from the environment of the node. */
  settings: string;
  /** Last heartbeat, in milliseconds of the database clock. */
  seen_ms: number;
  running: number;
  lag_ms: number;
  /** Number under which the node leases quota; 0: none. */
  lease_number: number;
  unconfirmed_time: Generated<number>;
}

/** Counters shared by all nodes, by hashed key. */
export interface LimitCountTable {
  key: string;
  count: number;
  /** When the counter expires. */
  ends_ms: number;
}
