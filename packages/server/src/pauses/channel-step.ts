/** What became of a channel, or of a model of it, without anybody's doing. */
export interface ChannelStep {
  readonly kind:
    | 'channel_disabled'
    | 'channel_enabled'
    | 'channel_paused'
    | 'channel_resumed'
    | 'model_paused'
    | 'model_resumed';
  readonly id: number;
  /** The name of the channel. */
  readonly channel: string;
  /** Empty: the whole channel. */
  readonly model: string;
  readonly reason: string;
}
