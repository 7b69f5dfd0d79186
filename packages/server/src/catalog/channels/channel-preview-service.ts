import { splitCommas } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { changedChannel } from './channel-input.ts';
import type { ChannelService } from './channel-service.ts';
import type { ChannelUpstream, Preview, PreviewSample } from './channel-upstream-service.ts';

interface PreviewOrder extends PreviewSample {
  /** Unsaved rules; undefined: those of the channel. */
  readonly rules?: string | undefined;
}

/** Shows what a channel would send. */
export class ChannelPreviewService {
  readonly #channels: ChannelService;
  readonly #upstream: Pick<ChannelUpstream, 'preview'>;

  constructor(channels: ChannelService, upstream: Pick<ChannelUpstream, 'preview'>) {
    this.#channels = channels;
    this.#upstream = upstream;
  }

  async show(id: number, { rules, ...sample }: PreviewOrder): Promise<Preview> {
    const stored = await this.#channels.open(id);
    const channel = changedChannel(stored, { id, rules });
    const model = sample.model || (splitCommas(channel.models)[0] ?? '');
    const preview = await this.#upstream.preview(channel, { ...sample, model });
    if ('failure' in preview) throw new ApiError('previewRejected', { reason: preview.failure });
    return preview;
  }
}
