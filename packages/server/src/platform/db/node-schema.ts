import type { Generated } from 'kysely';

/** The processes that share the database. */
export interface NodeTable {
  id: string;
  name: string;
  version: string;
  started_time: number;
  /** JSON: what its environment says. */
  settings: string;
  /** When it last said that it is alive, in milliseconds of the database's clock. */
  seen_ms: number;
  running: number;
  lag_ms: number;
  /** The number under which it leases quota; 0: none. */
  lease_number: number;
  unconfirmed_time: Generated<number>;
}

/** What all nodes count together, by hashed keys. */
export interface LimitCountTable {
  key: string;
  count: number;
  /** When it counts no more. */
  ends_ms: number;
}
