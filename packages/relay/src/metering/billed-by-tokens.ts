import type { RelayChannel } from '../ports/relay-channel.ts';
import { providerOf } from '../upstream/upstream-view.ts';

/** Image and audio models. Their ratio is per image, per character or per fraction of a second. */
const wordless =
  /^(?:dall-e|(?:gpt|chatgpt)-image|tts-|(?:distil-)?whisper|cogview|wanx|step-1x|ali-stable-diffusion|(?:black-forest-labs|stability-ai|recraft-ai|ideogram-ai)\/)/;
const rankers = /rerank/i;

/** Whether the ratio of a model is a token price on all of these channels. */
export const isBilledByTokens = (model: string, channels: readonly RelayChannel[]): boolean =>
  !wordless.test(model) &&
  !(rankers.test(model) && channels.some((channel) => providerOf(channel).ranksBySearch === true));
