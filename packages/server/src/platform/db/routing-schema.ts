import type { Affinity, RoutingStrategy } from '@headgate/contract';
import type { Generated } from 'kysely';

export interface RoutingTables {
  routing_rules: RoutingRuleTable;
  model_aliases: ModelAliasTable;
}

interface RoutingRuleTable {
  id: Generated<number>;
  /** Empty: every group. */
  group: string;
  /** A name or a pattern; empty: every model. */
  model: string;
  strategy: RoutingStrategy;
  affinity: Affinity;
  fits_window: number;
  hedge_ms: number;
  /** Separated by commas. */
  fallbacks: string;
  created_time: number;
}

interface ModelAliasTable {
  id: Generated<number>;
  pattern: string;
  model: string;
  created_time: number;
}
