import type { JsonObject } from '../json-fields.ts';
import { endEvent } from './end-event.ts';

/** Converts a whole response to events: content, finish reason, and usage if requested. */
export function splitIntoEvents(reply: JsonObject, wantsUsage: boolean): string {
  const { choices, usage, object, ...envelope } = reply;
  const head = { ...envelope, object: object === 'chat.completion' ? 'chat.completion.chunk' : object };
  const given = (Array.isArray(choices) ? choices : []).map(fieldsOf);
  const events = [
    { ...head, choices: given.map(contentChoice) },
    { ...head, choices: given.map(endOf) },
    ...(wantsUsage && usage ? [{ ...head, choices: [], usage }] : []),
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}${endEvent}`;
}

function contentChoice({ message, ...rest }: JsonObject, place: number): JsonObject {
  const said = message === undefined ? {} : { delta: numbered(fieldsOf(message)) };
  return { index: place, ...rest, ...said, finish_reason: null };
}

const endOf = ({ index, message, finish_reason }: JsonObject, place: number): JsonObject => ({
  index: index ?? place,
  ...(message === undefined ? { text: '' } : { delta: {} }),
  finish_reason,
});

/** Adds an index to each call, as required in a stream. */
function numbered(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: calls.map((call, index) => ({ index, ...fieldsOf(call) })) };
}

const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
