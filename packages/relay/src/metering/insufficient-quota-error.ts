import type { RelayChannel } from '../ports/relay-channel.ts';
import { databaseUnreachableError, RelayError } from '../ports/relay-error.ts';
import type { Shortage } from '../quota/reservation.ts';
import { providerFor } from '../upstream/upstream-view.ts';

/** Retry-After in seconds: the end of other requests cannot be predicted, but most end within seconds. */
const retryAfter = 5;

const balanceNames = {
  user_held: 'your quota',
  token_held: 'the quota of this token',
  budget_held: 'a budget for this request',
} as const;

/** Client error for a failed reservation. `limitField` is the field with which the client can limit the response. */
export function insufficientQuotaError(shortage: Shortage, limitField?: string): RelayError {
  if (shortage === 'out_of_touch') return databaseUnreachableError();
  if (shortage === 'user')
    return new RelayError(402, 'Insufficient quota. Top up your account', 'insufficient_user_quota');
  if (shortage === 'token')
    return new RelayError(402, 'Insufficient token quota. Raise the quota of this token', 'insufficient_token_quota');
  if (shortage === 'budget') return new RelayError(429, 'A budget for this request is exhausted', 'budget_exhausted');
  const whose = balanceNames[shortage];
  const advice = limitField ? `Set ${limitField}, or retry when they have finished` : 'Retry when they have finished';
  const error = new RelayError(429, `In-flight requests have reserved ${whose}. ${advice}`, 'quota_held');
  error.retryAfter = retryAfter;
  return error;
}

/** Image, audio and OCR models. Their ratio is per image, character, fraction of a second or page. */
const wordless =
  /^(?:dall-e|(?:gpt|chatgpt)-image|tts-|(?:distil-)?whisper|mistral-ocr|cogview|wanx|step-1x|ali-stable-diffusion|(?:black-forest-labs|stability-ai|recraft-ai|ideogram-ai)\/)/;
const rankers = /rerank/i;

/** True if the ratio of a model is a token price on all of these channels. */
export const isPricedPerToken = (model: string, channels: readonly RelayChannel[]): boolean =>
  !wordless.test(model) &&
  !(rankers.test(model) && channels.some((channel) => providerFor(channel).ranksBySearch === true));
