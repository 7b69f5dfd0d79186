const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Returns a key that occurs twice in one object of a JSON text, at any depth; undefined if there is none. With a
 * duplicate, the parsed value has fewer keys than the text; only then are the keys compared one by one.
 */
export function findDuplicateKey(text: string, value: unknown): string | undefined {
  return namesWritten(text) === namesIn(value) ? undefined : findRepeated(text);
}

/** Number of keys in a JSON text: one pass over the characters between its strings. */
function namesWritten(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at + 1);
    else if (unit === colon) names += 1;
  }
  return names;
}

function namesIn(value: unknown): number {
  let names = 0;
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const items = Array.isArray(next) ? (next as readonly unknown[]) : Object.values(next as object);
    if (items !== next) names += items.length;
    for (const item of items) if (typeof item === 'object' && item !== null) left.push(item);
  }
  return names;
}

function findRepeated(text: string): string | undefined {
  const search = new KeySearch();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== quote) {
      search.step(unit);
      continue;
    }
    const end = endOfString(text, at + 1);
    const repeated = search.isKey ? search.repeats(readKey(text.slice(at + 1, end))) : undefined;
    if (repeated !== undefined) return repeated;
    at = end;
  }
  return undefined;
}

class KeySearch {
  /** Keys of the open objects; undefined for arrays. */
  readonly #open: (Set<string> | undefined)[] = [];
  /** Whether the next string is a key. */
  isKey = false;

  step(unit: number): void {
    if (unit === openObject) this.#open.push(new Set());
    else if (unit === openList) this.#open.push(undefined);
    else if (unit === closeObject || unit === closeList) this.#open.pop();
    else if (unit !== comma) return;
    this.isKey = this.#open.at(-1) !== undefined;
  }

  /** Returns the key if its object already has it. */
  repeats(key: string): string | undefined {
    const keys = this.#open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
    this.isKey = false;
    return undefined;
  }
}

/** Position of the closing quote: the next one without an odd number of backslashes before it. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** `"\u006dodel"` is `model` too. */
const readKey = (raw: string): string =>
  // trusted JSON: one string, without structure.
  raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
