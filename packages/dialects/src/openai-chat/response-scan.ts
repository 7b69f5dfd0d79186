import type { UsageClaim } from '../chat/usage-claim.ts';
import { FieldSearch } from '../field-search.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import type { ResponseScan } from '../response-scan.ts';
import { objectAt } from '../upstream-fields.ts';
import { ChunkMerger } from './chunk-merger.ts';
import { endEvent, endMarker } from './end-event.ts';
import { reportEvent, reportResponse } from './response-content.ts';
import { splitIntoEvents } from './split-into-events.ts';
import { readTranscript } from './transcript.ts';
import { usageEvent } from './write-response.ts';
import { writeUsage } from './write-usage.ts';

/** Wire format of responses of OpenAI's endpoints, whole and streamed. */
export const responseScan: ResponseScan = {
  fields: {
    content: new FieldSearch('"choices":', 'hoices":'),
    finish: new FieldSearch('"finish_reason":', '_reason":'),
    usage: new FieldSearch('"usage":', 'usage":'),
    error: new FieldSearch('"error":', 'rror":'),
  },
  // Azure starts with an event for its prompt filter result; later events without choices only report usage.
  emptyStart: '"choices":[]',
  endMarker,
  endEvent,
  // Matches data or URL of an image, and data of audio; inside a text the quotes would be escaped.
  media: { pictures: /"(?:b64_json|url)": ?"[^"]/, sound: /"(?:audio|delta|data)": ?"[^"]/ },
  usageIn,
  readUsage,
  isEmptyEvent: (event) => isObject(event) && Array.isArray(event['choices']) && event['choices'].length === 0,
  isAnswer: ({ choices }) => Array.isArray(choices),
  errorAmong: ({ choices }) =>
    Array.isArray(choices)
      ? choices.map((choice: { error?: unknown } | null) => choice?.error).find(Boolean)
      : undefined,
  reportResponse,
  reportEvent,
  splitIntoEvents,
  withUsage: (reply, usage) => ({ ...reply, usage: writeUsage(usage) }),
  usageEvent,
  openMerger: () => new ChunkMerger(),
  readTranscript,
};

interface UsagePlaces {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly choices?: readonly ({ readonly usage?: unknown } | null)[];
}

/** Usage of an event, from the standard field or the fields of Groq and Moonshot. */
function usageIn({ usage, x_groq, choices }: UsagePlaces): JsonObject | undefined {
  const found = usage || x_groq?.usage || (Array.isArray(choices) ? choices[0]?.usage : undefined);
  return typeof found === 'object' && found !== null ? (found as JsonObject) : undefined;
}

/** Reads usage figures in OpenAI's format. */
export function readUsage(usage: unknown): UsageClaim | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens } = usage as JsonObject;
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    totalTokens: total_tokens,
    ...partsIn(usage as JsonObject),
  };
}

/** Reads the token details, from the standard field or the fields of DeepSeek and Moonshot. */
function partsIn(usage: JsonObject): UsageClaim {
  const read = objectAt(usage, 'prompt_tokens_details');
  const answered = objectAt(usage, 'completion_tokens_details');
  return {
    cachedTokens: read['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'],
    cacheWriteTokens: read['cache_write_tokens'] ?? read['cache_creation_input_tokens'],
    reasoningTokens: answered['reasoning_tokens'],
    audioTokens: read['audio_tokens'],
    audioCompletionTokens: answered['audio_tokens'],
    imageCompletionTokens: answered['image_tokens'],
  };
}
