import { isObject, type JsonObject } from '../json-fields.ts';
import { parseJson, parseJsonObject } from '../parse-json.ts';
import type { TranscriptReport } from '../response-scan.ts';

/** Contents of a transcript in JSON or events; undefined for plain text such as subtitles. */
export function readTranscript(text: string): TranscriptReport | undefined {
  const reply = parseJson(text) ?? lastOfEvents(text);
  if (typeof reply !== 'object' || reply === null) return undefined;
  const { usage, duration, text: said } = reply as JsonObject;
  const { seconds, input_tokens, output_tokens, input_token_details } = isObject(usage) ? usage : ({} as JsonObject);
  const audioTokens = isObject(input_token_details) ? input_token_details['audio_tokens'] : undefined;
  return {
    text: typeof said === 'string' ? said : '',
    seconds: seconds ?? duration,
    usage: { promptTokens: input_tokens, completionTokens: output_tokens, audioTokens },
  };
}

/** Returns the final event, which contains the whole response; otherwise merges the deltas. */
function lastOfEvents(text: string): JsonObject | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  const events = lines.map((line) => parseJsonObject(line.slice('data:'.length)));
  const pieces = events.map((event) => (typeof event?.['delta'] === 'string' ? event['delta'] : ''));
  const isStream = events.some((event) => String(event?.['type']).startsWith('transcript.text.'));
  const last = events.findLast((event) => event?.['type'] === 'transcript.text.done');
  return last ?? (isStream ? { text: pieces.join('') } : undefined);
}
