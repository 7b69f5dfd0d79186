/** What became of a channel, of a model or of a key of it, without anybody's doing. */
export interface ChannelStep {
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
  /** The name of the channel. */
  readonly channel: string;
  /** Empty: the whole channel. */
  readonly model: string;
  readonly reason: string;
  /** What the key is called, where it is about one of several. */
  readonly key?: string | undefined;
}
