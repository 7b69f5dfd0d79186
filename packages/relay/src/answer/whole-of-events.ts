import { parseJson, UpstreamProblem } from '@headgate/dialects';
import { type JsonObject, problemInside } from '@headgate/providers';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';

/** Some stream whatever they are asked for. */
export const comesInEvents = ({ headers }: Pick<UpstreamResponse, 'headers'>): boolean =>
  String(headers['content-type']).toLowerCase().startsWith('text/event-stream');

/** OpenAI's events put together to the answer they would have been in one piece; throws what is no whole answer. */
export function wholeOfEvents(body: Buffer): Buffer {
  const gathering = new EventGathering();
  for (const line of body.toString('utf8').split('\n')) {
    if (line.startsWith('data:')) gathering.add(line.slice('data:'.length).trim());
  }
  return Buffer.from(JSON.stringify(gathering.whole()));
}

type Fields = Record<string, unknown>;

class EventGathering {
  readonly #choices = new Map<number, Fields>();
  #envelope: Fields = {};
  #isComplete = false;

  add(data: string): void {
    if (data === '[DONE]') this.#isComplete = true;
    const event = fieldsIn(parseJson(data));
    if (!event) return;
    if (event['error']) throw problemInside(event);
    const { choices, object, ...envelope } = event;
    this.#envelope = { ...this.#envelope, object: String(object).replace('.chunk', ''), ...told(envelope) };
    if (Array.isArray(choices)) for (const [place, choice] of choices.entries()) this.#addChoice(choice, place);
  }

  whole(): JsonObject {
    const choices = [...this.#choices.values()].sort((one, other) => Number(one['index']) - Number(other['index']));
    const isEnded = this.#isComplete || choices.some(({ finish_reason }) => finish_reason != null);
    if (choices.length === 0 || !isEnded)
      throw new UpstreamProblem(502, "The upstream's stream broke off: it ended too early", 'upstream_broke');
    return { ...this.#envelope, choices };
  }

  #addChoice(given: unknown, place: number): void {
    const { delta, index, ...rest } = fieldsIn(given) ?? {};
    const key = typeof index === 'number' ? index : place;
    const choice = this.#choices.get(key) ?? { index: key };
    this.#choices.set(key, choice);
    const message = fieldsIn(delta);
    merge(choice, message ? { ...rest, message } : rest);
  }
}

/** What the last event says of nothing was said before. */
const told = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Said once, not in pieces. */
const names: ReadonlySet<string> = new Set(['role', 'type', 'id', 'name', 'finish_reason', 'format', 'index']);

function merge(whole: Fields, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    if (name === '__proto__' || value === undefined) continue;
    whole[name] = name === 'tool_calls' ? callsWith(whole[name], value) : merged(name, whole[name], value);
  }
}

function merged(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return value;
  if (value === null) return before;
  if (typeof before === 'string' && typeof value === 'string' && !names.has(name)) return before + value;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  const [fields, more] = [fieldsIn(before), fieldsIn(value)];
  if (!fields || !more) return names.has(name) && value === '' ? before : value;
  const whole = { ...fields };
  merge(whole, more);
  return whole;
}

/** The pieces of one call have one number, which a whole answer does not tell. */
function callsWith(before: unknown, value: unknown): unknown {
  const calls: Fields[] = Array.isArray(before) ? before : [];
  for (const given of Array.isArray(value) ? value : []) {
    const { index, ...piece } = fieldsIn(given) ?? {};
    const place = typeof index === 'number' && index < calls.length ? index : calls.length;
    const call = calls[place] ?? {};
    calls[place] = call;
    merge(call, piece);
  }
  return calls;
}

const fieldsIn = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
