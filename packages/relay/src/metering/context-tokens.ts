import type { RelayChannel } from '../ports/relay-channel.ts';
import { contextWindowOf } from '../quota/context-windows.ts';

/** Context window of an unknown model: hardly any has a larger one. */
const usualWindow = 1_048_576;

/** Maximum prompt tokens that this model can read, on the channel with the largest context window. */
export const maxReadableTokens = (channels: readonly RelayChannel[], model: string): number =>
  channels.reduce((most, { modelMapping }) => Math.max(most, readableTokens(modelMapping.get(model) || model)), 0);

const readableTokens = (model: string): number => contextWindowOf(model) ?? usualWindow;
