import { isObject, type JsonObject } from '../json-fields.ts';
import type { EventMerger } from '../response-scan.ts';

type Fields = Record<string, unknown>;

/** Merges the events of a stream into a whole response. */
export class ChunkMerger implements EventMerger {
  readonly #choices = new Map<number, Fields>();
  #envelope: Fields = {};
  #isComplete = false;

  add(event: JsonObject): void {
    const { choices, object, ...envelope } = event;
    this.#envelope = { ...this.#envelope, object: String(object).replace('.chunk', ''), ...withoutEmpty(envelope) };
    if (Array.isArray(choices)) for (const [place, choice] of choices.entries()) this.#addChoice(choice, place);
  }

  end(): void {
    this.#isComplete = true;
  }

  whole(): JsonObject | undefined {
    const choices = [...this.#choices.values()].sort((one, other) => Number(one['index']) - Number(other['index']));
    const isEnded = this.#isComplete || choices.some(({ finish_reason }) => finish_reason != null);
    return choices.length === 0 || !isEnded ? undefined : { ...this.#envelope, choices };
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

/** An empty field in a later event does not overwrite an earlier value. */
const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Fields that arrive complete, not in fragments. */
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

/** Merges fragments of calls by index; a whole response has no index. */
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

const fieldsIn = (value: unknown): Fields | undefined => (isObject(value) ? value : undefined);
