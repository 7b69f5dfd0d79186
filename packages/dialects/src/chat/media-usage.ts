import type { JsonObject } from '../json-fields.ts';
import { objectAt } from '../upstream-fields.ts';
import type { UnverifiedUsage, Usage } from './chat-response.ts';

type MediaName =
  | 'audioTokens'
  | 'imageTokens'
  | 'cachedAudioTokens'
  | 'cachedImageTokens'
  | 'audioCompletionTokens'
  | 'imageCompletionTokens';

/** Audio and image tokens in OpenAI's details of a prompt and of a completion, not validated. */
export function readMediaUsage(prompt: JsonObject, completion: JsonObject): Pick<UnverifiedUsage, MediaName> {
  const cached = objectAt(prompt, 'cached_tokens_details');
  return {
    audioTokens: prompt['audio_tokens'],
    imageTokens: prompt['image_tokens'],
    cachedAudioTokens: cached['audio_tokens'],
    cachedImageTokens: cached['image_tokens'],
    audioCompletionTokens: completion['audio_tokens'],
    imageCompletionTokens: completion['image_tokens'],
  };
}

/** Counts that are positive numbers. A reported 0 of cached media is also kept, because it determines the price. */
export function validMediaUsage(claim: Pick<UnverifiedUsage, MediaName>): Pick<Usage, MediaName> {
  const isCounted = ([name, count]: [string, unknown]) =>
    typeof count === 'number' && (count > 0 || (count === 0 && name.startsWith('cached') && hasMedia(claim)));
  return Object.fromEntries(Object.entries(claim).filter(isCounted));
}

const hasMedia = ({ audioTokens, imageTokens }: UnverifiedUsage): boolean => Boolean(audioTokens || imageTokens);
