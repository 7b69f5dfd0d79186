import type {
  AlertKind,
  AlertLanguage,
  AlertState,
  DestinationKind,
  LogExportKind,
  ManagedKind,
} from '@headgate/contract';
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

/** Object that a configuration file manages, or managed before. */
export interface ManagedObjectTable {
  kind: ManagedKind;
  /** Name in the file. */
  name: string;
  /** Id of the object; 0 if it is only identified by name. */
  row_id: number;
  /** 0: no longer in the file and can be pruned. */
  in_file: number;
}

/** Alert destinations. */
interface AlertReceiverTable {
  id: Generated<number>;
  kind: DestinationKind;
  name: string;
  language: AlertLanguage;
  /** JSON object with the fields of the destination kind, encrypted because some are secret. */
  settings_sealed: string;
  created_time: number;
  last_time: Generated<number>;
  last_error: Generated<string>;
}

/** Destinations of log exports. */
interface LogExportTable {
  id: Generated<number>;
  kind: LogExportKind;
  name: string;
  enabled: number;
  /** JSON object with the fields of the kind, encrypted because some are secret. */
  settings_sealed: string;
  created_time: number;
  /** Id of the last exported log. */
  cursor_id: number;
  sent_rows: Generated<number>;
  sent_time: Generated<number>;
  last_error: Generated<string>;
  /** Failed attempts since the last success. */
  tries: Generated<number>;
  next_time: Generated<number>;
  leased_ms: Generated<number>;
}

interface AlertRuleTable {
  id: Generated<number>;
  kind: AlertKind;
  /** JSON with all other settings of the rule. */
  settings: string;
  created_time: number;
}

/** Time of the last notification per rule and subject. The node that updates the time sends the notification. */
interface AlertClaimTable {
  /** 0: the notification does not belong to a rule. */
  rule_id: number;
  subject: string;
  time: number;
}

/** Queue of notifications. Sent ones stay for a while. */
interface AlertQueueTable {
  id: Generated<number>;
  /** Shared by all notifications of the same event. */
  event_id: string;
  kind: string;
  receiver_id: number;
  receiver_kind: string;
  receiver_name: string;
  title: string;
  /** JSON of the notification. */
  message: string;
  state: AlertState;
  tries: Generated<number>;
  created_time: number;
  next_time: number;
  sent_time: Generated<number>;
  /**
   * Lease of the sending node, in milliseconds of the database clock. Other nodes do not send the notification before
   * it expires.
   */
  leased_ms: Generated<number>;
  last_error: Generated<string>;
}

/**
 * Requests of a channel in one minute, as counted by one node; channel 0 stands for all requests. Deleted after some
 * hours.
 */
interface AlertMinuteTable {
  /** First second of the minute. */
  minute: number;
  node: string;
  channel: number;
  requests: number;
  failures: number;
  /** JSON: response counts by the buckets of records/logs/latency-buckets.ts. */
  latencies: string;
}

/** Networks from which an admin has signed in. */
interface KnownNetworkTable {
  user_id: number;
  network: string;
  seen_time: number;
}

/** Incidents on the status page. */
interface IncidentTable {
  id: Generated<number>;
  title: string;
  text: string;
  severity: string;
  /** JSON array of model names; empty: all models. */
  models: string;
  /** JSON array of dated messages, oldest first. */
  updates: string;
  start_time: number;
  /** 0: open. */
  end_time: number;
  created_time: number;
}

export interface AlertTables {
  alert_receivers: AlertReceiverTable;
  alert_rules: AlertRuleTable;
  log_exports: LogExportTable;
  alert_claims: AlertClaimTable;
  alert_queue: AlertQueueTable;
  alert_minutes: AlertMinuteTable;
  known_networks: KnownNetworkTable;
  incidents: IncidentTable;
}
