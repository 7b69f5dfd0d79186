import type { InputQuery, ReferencedContext, ResponseStorage, StoredResponse } from '../dialect.ts';
import { isObject, type JsonObject, parseJsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { isItemReference } from './item-references.ts';

/** Maximum number of items per response that can be referenced by id. */
const maxItems = 256;

/** Responses that the gateway stores for upstreams without storage. */
export const responseStorage: ResponseStorage = { entryOf, withStored, unstored, itemIn, listInput };

function entryOf(body: JsonObject, response: JsonObject): StoredResponse | undefined {
  const id = textAt(response, 'id');
  if (id === '') return undefined;
  const ids = listAt(response, 'output').map((item) => textAt(item, 'id'));
  const itemIds = [...new Set(ids)].filter((item) => item !== '').slice(0, maxItems);
  return { id, itemIds, input: inputItems(body), response };
}

/** As at OpenAI, `instructions` of the previous response do not apply to the next one. */
function withStored(body: JsonObject, { previous, items }: ReferencedContext): JsonObject {
  const written = inputItems(body).map((item) => {
    const stored = isObject(item) ? items.get(textAt(item, 'id')) : undefined;
    return stored && isItemReference(item, body) ? stored : item;
  });
  if (!previous) return { ...body, input: written };
  const { previous_response_id: _, ...rest } = body;
  return { ...rest, input: [...previous.input, ...listAt(previous.response, 'output'), ...written] };
}

function unstored(text: string): string {
  const whole = parseJsonObject(text);
  if (whole) return JSON.stringify({ ...whole, store: false });
  return text.split('\n').map(unstoredLine).join('\n');
}

function unstoredLine(line: string): string {
  const event = line.startsWith('data:') ? parseJsonObject(line.slice('data:'.length)) : undefined;
  const response = event?.['response'];
  return isObject(response) ? `data: ${JSON.stringify({ ...event, response: { ...response, store: false } })}` : line;
}

function itemIn(response: JsonObject, id: string): JsonObject | undefined {
  return listAt(response, 'output')
    .filter(isObject)
    .find((item) => item['id'] === id);
}

function inputItems({ input }: JsonObject): readonly unknown[] {
  if (typeof input === 'string') return [messageOf('user', input)];
  return Array.isArray(input) ? (input as readonly unknown[]) : [];
}

const messageOf = (role: unknown, text: string): JsonObject => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});

const usualLimit = 20;
const maxListed = 100;

function listInput({ id, input }: Pick<StoredResponse, 'id' | 'input'>, query: InputQuery): JsonObject {
  const limit = Number(query.limit ?? usualLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxListed)
    throw new RequestProblem('limit', `limit must be a whole number from 1 to ${maxListed}`);
  const items = input.filter(isObject).map((item, index) => listedItem(item, `${id.slice('resp_'.length)}_in${index}`));
  const ordered = query.order === 'asc' ? items : items.toReversed();
  const start = query.after === undefined ? 0 : ordered.findIndex((item) => item['id'] === query.after) + 1;
  const data = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + limit < ordered.length,
  };
}

const idMarks: Readonly<Record<string, string>> = { message: 'msg', function_call: 'fc', reasoning: 'rs' };

function listedItem(item: JsonObject, number: string): JsonObject {
  const type = textAt(item, 'type') || 'message';
  const { content } = item;
  const whole = type === 'message' && typeof content === 'string' ? messageOf(item['role'], content) : {};
  return { type, ...item, ...whole, id: textAt(item, 'id') || `${idMarks[type] ?? 'item'}_${number}` };
}
