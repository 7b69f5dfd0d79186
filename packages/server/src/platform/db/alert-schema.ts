import type { AlertKind, AlertLanguage, AlertState, DestinationKind } from '@headgate/contract';
import type { Generated } from 'kysely';

/** Where alerts are sent to. */
interface AlertReceiverTable {
  id: Generated<number>;
  kind: DestinationKind;
  name: string;
  language: AlertLanguage;
  /** JSON by the names of its kind's fields, sealed because parts of it are secret. */
  settings_sealed: string;
  created_time: number;
  last_time: Generated<number>;
  last_error: Generated<string>;
}

interface AlertRuleTable {
  id: Generated<number>;
  kind: AlertKind;
  /** JSON: all else that it says. */
  settings: string;
  created_time: number;
}

/** When something was last told, so that it is not told again too soon; whoever moves the time tells it. */
interface AlertClaimTable {
  /** 0: not of a rule. */
  rule_id: number;
  /** What it was about. */
  subject: string;
  time: number;
}

/** What is sent to whom, and for a while what was. */
interface AlertQueueTable {
  id: Generated<number>;
  /** What happened; the same for all who are told of it. */
  event_id: string;
  kind: string;
  receiver_id: number;
  receiver_kind: string;
  receiver_name: string;
  title: string;
  /** JSON: what the receiver is told. */
  message: string;
  state: AlertState;
  tries: Generated<number>;
  created_time: number;
  next_time: number;
  sent_time: Generated<number>;
  /** Nobody else sends it before, by the database's clock, in milliseconds. */
  leased_ms: Generated<number>;
  last_error: Generated<string>;
}

/** What a node saw of a channel in one minute; channel 0 stands for all requests. Kept for some hours. */
interface AlertMinuteTable {
  /** Its first second. */
  minute: number;
  node: string;
  channel: number;
  requests: number;
  failures: number;
  /** JSON: how many answers took how long, by the buckets of logs/latency-buckets.ts. */
  latencies: string;
}

/** Networks from which an admin has signed in. */
interface KnownNetworkTable {
  user_id: number;
  network: string;
  seen_time: number;
}

export interface AlertTables {
  alert_receivers: AlertReceiverTable;
  alert_rules: AlertRuleTable;
  alert_claims: AlertClaimTable;
  alert_queue: AlertQueueTable;
  alert_minutes: AlertMinuteTable;
  known_networks: KnownNetworkTable;
}
