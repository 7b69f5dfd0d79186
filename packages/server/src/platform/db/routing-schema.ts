import type { Affinity, RoutingStrategy } from '@headgate/contract';
import type { Generated } from 'kysely';

export interface RoutingTables {
  routing_rules: RoutingRuleTable;
  model_aliases: ModelAliasTable;
}

interface RoutingRuleTable {
  id: Generated<number>;
  /** Empty: all groups. */
  group: string;
  /** Model name or pattern; empty: all models. */
  model: string;
  strategy: RoutingStrategy;
  affinity: Affinity;
  fits_window: number;
  hedge_ms: number;
  /** Comma-separated. */
  fallbacks: string;
  created_time: number;
}

interface ModelAliasTable {
  id: Generated<number>;
  pattern: string;
  model: string;
  created_time: number;
}
