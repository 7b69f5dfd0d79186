import type { LogReason } from '@headgate/contract';
import type { Generated } from 'kysely';

/** Circuit breaker of a model on a channel; an empty model means the whole channel. */
export interface ChannelBreakerTable {
  id: Generated<number>;
  channel_id: number;
  model: string;
  reason: LogReason | '';
  message: string;
  status: number;
  since: number;
  next_probe: number;
  /** Seconds between tests. */
  pause: number;
  probes: Generated<number>;
  /** 0: the breaker is open. */
  ended_time: Generated<number>;
  /** 1: the channel was disabled automatically, and the row only schedules its tests. */
  is_disabled: Generated<number>;
}
