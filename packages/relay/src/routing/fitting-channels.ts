import type { RelayChannel } from '../ports/relay-channel.ts';
import { contextWindowOf } from '../quota/context-windows.ts';

type Mapped = Pick<RelayChannel, 'modelMapping'>;

/** Context window of the model on this channel; undefined: unknown, assumed to fit. */
export const channelContextWindow = ({ modelMapping }: Mapped, model: string): number | undefined =>
  contextWindowOf(modelMapping.get(model) || model);

/** Channels whose model can read this many tokens; all channels when no model can, because the table may be wrong. */
export function fittingChannels<C extends Mapped>(channels: readonly C[], model: string, tokens: number): readonly C[] {
  if (channels.every((channel) => fits(channel, model, tokens))) return channels;
  const fitting = channels.filter((channel) => fits(channel, model, tokens));
  return fitting.length > 0 ? fitting : channels;
}

/** Whether an estimate is enough to decide: all channels fit its maximum, or the same channels fit its minimum. */
export const isEstimateSufficient = (
  channels: readonly Mapped[],
  model: string,
  least: number,
  most: number,
): boolean =>
  channels.every((channel) => {
    const window = channelContextWindow(channel, model) ?? Number.POSITIVE_INFINITY;
    return window >= least === window >= most;
  });

const fits = (channel: Mapped, model: string, tokens: number): boolean =>
  (channelContextWindow(channel, model) ?? Number.POSITIVE_INFINITY) >= tokens;
