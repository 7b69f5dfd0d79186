import type { ChannelFields, LogReason } from '@headgate/contract';

export type TestedChannel = ChannelFields & { readonly id: number };

export interface ProbeFailure {
  readonly status: number;
  readonly reason: LogReason;
  readonly message: string;
  /** True if the provider clearly rejected the key or the account. */
  readonly isRejection: boolean;
}

/** Sends a small test request through a channel; returns the model's text or the failure. */
export interface ChannelProbe {
  canTest(channel: TestedChannel): boolean;
  send(channel: TestedChannel, model: string): Promise<string | ProbeFailure>;
}

/** Status change of a channel after a test or a provider error. */
export interface MonitorChange {
  readonly id: number;
  readonly channel: string;
  readonly isEnabled: boolean;
  readonly reason: string;
  /** Set when only one of its keys changed. */
  readonly key?: string;
}
