/** Automatic status change of a channel, or of one of its models or keys. */
export interface ChannelEvent {
  readonly kind:
    | 'channel_disabled'
    | 'channel_enabled'
    | 'channel_paused'
    | 'channel_resumed'
    | 'model_paused'
    | 'model_resumed'
    | 'key_disabled'
    | 'key_enabled';
  readonly id: number;
  readonly channel: string;
  /** Empty for the whole channel. */
  readonly model: string;
  readonly reason: string;
  /** Name of the key, if only one of several is affected. */
  readonly key?: string | undefined;
}
