import type { RelayChannel } from '../ports/relay-channel.ts';
import { contextWindowOf } from '../quota/context-windows.ts';

type Mapped = Pick<RelayChannel, 'modelMapping'>;

/** Tokens that the model reads and writes on this channel; undefined: nobody knows, so it is taken to fit. */
export const windowOn = ({ modelMapping }: Mapped, model: string): number | undefined =>
  contextWindowOf(modelMapping.get(model) || model);

/** The channels whose model takes so many tokens; all of them where none does, for one of them may know better. */
export function fittingChannels<C extends Mapped>(channels: readonly C[], model: string, tokens: number): readonly C[] {
  if (channels.every((channel) => fits(channel, model, tokens))) return channels;
  const fitting = channels.filter((channel) => fits(channel, model, tokens));
  return fitting.length > 0 ? fitting : channels;
}

/** Whether an estimate decides: all channels take even the most it may be, or the same ones take the least. */
export const isDecided = (channels: readonly Mapped[], model: string, least: number, most: number): boolean =>
  channels.every((channel) => {
    const window = windowOn(channel, model) ?? Number.POSITIVE_INFINITY;
    return window >= least === window >= most;
  });

const fits = (channel: Mapped, model: string, tokens: number): boolean =>
  (windowOn(channel, model) ?? Number.POSITIVE_INFINITY) >= tokens;
