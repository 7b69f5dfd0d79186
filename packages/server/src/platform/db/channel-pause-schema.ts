import type { LogReason } from '@headgate/contract';
import type { Generated } from 'kysely';

/** A model of a channel that requests pass over; an empty one: the whole channel. */
export interface ChannelPauseTable {
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
  /** 0: it lasts. */
  ended_time: Generated<number>;
  /** 1: the channel was disabled automatically; the row only says when it is tested. */
  is_disabled: Generated<number>;
}
