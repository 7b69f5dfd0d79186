import type { Affinity, RoutingReason, RoutingStrategy } from '@headgate/contract';

export const strategyLabels = {
  priority_weight: 'By weight',
  least_busy: 'Least busy',
  quickest: 'Fastest first byte',
  cheapest: 'Lowest cost',
} as const satisfies Record<RoutingStrategy, string>;

export const affinityLabels = {
  off: 'Off',
  conversation: 'Conversation',
  session: 'Client session ID',
  user: 'Users',
} as const satisfies Record<Affinity, string>;

export const reasonLabels = {
  chosen: 'First choice',
  next: 'Tried if the first fails',
  lower_priority: 'Tried if all higher priorities fail',
  cooling_down: 'Cooling down after failures',
  keys_cooling_down: 'All keys cooling down',
  paused: 'Model paused here, retested periodically',
  window_too_small: 'Prompt exceeds context window',
} as const satisfies Record<RoutingReason, string>;

export const reasonColors = {
  chosen: 'green',
  next: 'gray',
  lower_priority: 'gray',
  cooling_down: 'yellow',
  keys_cooling_down: 'yellow',
  paused: 'yellow',
  window_too_small: 'red',
} as const satisfies Record<RoutingReason, string>;
