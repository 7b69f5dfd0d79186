import type { KeyStrategy } from './channel.ts';

/** Editable fields of a channel, in plain text. */
export interface ChannelFields {
  readonly type: number;
  readonly name: string;
  readonly key: string;
  readonly models: string;
  readonly group: string;
  readonly base_url: string;
  readonly other: string;
  readonly model_mapping: string;
  readonly system_prompt: string;
  readonly purchase: string;
  readonly rules: string;
  /** Settings of the channel type, without blank ones. */
  readonly config: Readonly<Record<string, string>>;
  readonly status: number;
  readonly priority: number;
  readonly weight: number;
  readonly tag: string;
  /** How one of several keys is selected. */
  readonly key_strategy: KeyStrategy;
}
