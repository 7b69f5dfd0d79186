import type { RelayChannel } from '../ports/relay-channel.ts';
import { contextWindowOf } from '../quota/context-windows.ts';

/** Of a model nobody here knows: hardly any can read more. */
const usualWindow = 1_048_576;

/** No prompt of this model has more tokens, on the channel that can read most. */
export const readableTokensOn = (channels: readonly RelayChannel[], model: string): number =>
  channels.reduce((most, { modelMapping }) => Math.max(most, readableTokens(modelMapping.get(model) || model)), 0);

const readableTokens = (model: string): number => contextWindowOf(model) ?? usualWindow;
