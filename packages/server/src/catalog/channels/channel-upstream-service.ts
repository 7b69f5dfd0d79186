import type { ChannelFields, channelPreviewApi } from '@headgate/contract';
import type { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { type ChannelCreation, changedChannel, newChannels } from './channel-input.ts';
import type { ChannelService } from './channel-service.ts';

type PreviewRow = typeof channelPreviewApi.show;
/** A client's request to preview. */
export type PreviewSample = Omit<z.output<PreviewRow['body']>, 'rules'>;
/** The upstream request, without secrets. */
export type Preview = z.output<PreviewRow['reply']>;

export interface UpstreamFailureReason {
  readonly failure: string;
}

/** Requests account data from a channel's provider; undefined when not supported. */
export interface ChannelUpstream {
  balance(channel: ChannelFields): Promise<number | UpstreamFailureReason> | undefined;
  models(channel: ChannelFields): Promise<readonly string[] | UpstreamFailureReason> | undefined;
  preview(channel: ChannelFields, sample: PreviewSample): Promise<Preview | UpstreamFailureReason>;
}

/** Balance and model list of a channel's provider. */
export class ChannelUpstreamService {
  readonly #channels: ChannelService;
  readonly #upstream: ChannelUpstream;

  constructor(channels: ChannelService, upstream: ChannelUpstream) {
    this.#channels = channels;
    this.#upstream = upstream;
  }

  async updateBalance(id: number) {
    const balance = await this.#upstream.balance(await this.#channels.open(id));
    if (balance === undefined) throw new ApiError('balanceUnsupported');
    if (typeof balance !== 'number') throw new ApiError('upstreamRefused', { reason: balance.failure });
    await this.#channels.recordBalance(id, balance, nowInSeconds());
    return { balance };
  }

  async modelsOf(id: number): Promise<readonly string[]> {
    return this.#models(await this.#channels.open(id));
  }

  /** Model list for an unsaved form; uses the stored key if none was typed. */
  async modelsWith({ id, ...given }: Partial<ChannelCreation> & { readonly id?: number | undefined }) {
    const form = { name: 'unsaved', type: 1, key: '', models: 'any', group: '', ...given };
    if (id === undefined) return this.#models(newChannels(form)[0]);
    const { key, type, base_url, other, config, rules } = form;
    const wanted = {
      id,
      type,
      base_url,
      other,
      rules,
      ...(key !== '' && { key }),
      ...(config !== undefined && { config }),
    };
    return this.#models(changedChannel(await this.#channels.open(id), wanted, ['base_url', 'config', 'rules']));
  }

  async #models(channel: ChannelFields): Promise<readonly string[]> {
    const models = await this.#upstream.models(channel);
    if (models === undefined) throw new ApiError('modelsUnlisted');
    if ('failure' in models) throw new ApiError('upstreamRefused', { reason: models.failure });
    return models;
  }
}
