import type { Affinity, RoutingReason, RoutingStrategy } from '@headgate/contract';

export const strategyWords = {
  priority_weight: 'By weight',
  least_busy: 'Least busy',
  quickest: 'Quickest first byte',
  cheapest: 'Cheapest',
} as const satisfies Record<RoutingStrategy, string>;

export const affinityWords = {
  off: 'Nothing',
  conversation: 'Conversations',
  session: 'Sessions that clients name',
  user: 'Users',
} as const satisfies Record<Affinity, string>;

export const reasonWords = {
  chosen: 'Asked first',
  next: 'Asked when the first fails',
  lower_priority: 'Asked when all of a higher priority fail',
  resting: 'Rests after failures',
  keys_resting: 'All of its keys rest',
  paused: 'Paused here, tested now and then',
  window_too_small: 'Its model cannot read so much',
} as const satisfies Record<RoutingReason, string>;

export const reasonColors = {
  chosen: 'green',
  next: 'gray',
  lower_priority: 'gray',
  resting: 'yellow',
  keys_resting: 'yellow',
  paused: 'yellow',
  window_too_small: 'red',
} as const satisfies Record<RoutingReason, string>;
