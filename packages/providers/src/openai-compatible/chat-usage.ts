import { numberAt, objectAt, type Usage } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Undefined without a prompt count. Some upstreams report the total instead of the completion. */
export function usageOf(told: JsonObject | undefined): Usage | undefined {
  const prompt = numberAt(told, 'prompt_tokens');
  if (prompt === undefined) return undefined;
  const total = numberAt(told, 'total_tokens') ?? 0;
  const completion = numberAt(told, 'completion_tokens') ?? Math.max(total - prompt, 0);
  const thoughts = numberAt(objectAt(told, 'completion_tokens_details'), 'reasoning_tokens') ?? 0;
  // xAI reports reasoning in addition to the completion.
  const isBeside = thoughts > 0 && prompt + completion + thoughts === total;
  return {
    promptTokens: prompt,
    completionTokens: isBeside ? completion + thoughts : completion,
    ...cacheDetails(told),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
    ...mediaDetails(told),
  };
}

function mediaDetails(told: JsonObject | undefined): Partial<Usage> {
  const audio = numberAt(objectAt(told, 'prompt_tokens_details'), 'audio_tokens') ?? 0;
  const answered = objectAt(told, 'completion_tokens_details');
  const audioAnswer = numberAt(answered, 'audio_tokens') ?? 0;
  const images = numberAt(answered, 'image_tokens') ?? 0;
  return {
    ...(audio > 0 && { audioTokens: audio }),
    ...(audioAnswer > 0 && { audioCompletionTokens: audioAnswer }),
    ...(images > 0 && { imageCompletionTokens: images }),
  };
}

/** Cache tokens, from the standard details or the fields of DeepSeek and Moonshot. */
function cacheDetails(told: JsonObject | undefined): Pick<Usage, 'cachedTokens' | 'cacheWriteTokens'> {
  const details = objectAt(told, 'prompt_tokens_details');
  const beside = numberAt(told, 'prompt_cache_hit_tokens') ?? numberAt(told, 'cached_tokens');
  const read = numberAt(details, 'cached_tokens') ?? beside ?? 0;
  const written = numberAt(details, 'cache_write_tokens') ?? numberAt(details, 'cache_creation_input_tokens') ?? 0;
  return { ...(read > 0 && { cachedTokens: read }), ...(written > 0 && { cacheWriteTokens: written }) };
}
