import type { LogReason } from '@headgate/contract';
import type { ChannelFields } from './channel-fields.ts';

export type TestedChannel = ChannelFields & { readonly id: number };

export interface ProbeFailure {
  readonly status: number;
  readonly reason: LogReason;
  readonly message: string;
  /** The provider said clearly that the key or the account is no good. */
  readonly isRefusal: boolean;
}

/** Sends one small question through a channel: the answer, or why there is none. */
export interface ChannelProbe {
  canTest(channel: TestedChannel): boolean;
  ask(channel: TestedChannel, model: string): Promise<string | ProbeFailure>;
}

/** What became of a channel by a test, or by what its provider said. */
export interface MonitorChange {
  readonly id: number;
  readonly channel: string;
  readonly isEnabled: boolean;
  readonly reason: string;
  /** One of its keys, where that was all. */
  readonly key?: string;
}
