const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openList = 0x5b;
/** Into a list or an object, and out of it. */
const steps = new Int8Array(0x80);
for (const bracket of '[{') steps[bracket.charCodeAt(0)] = 1;
for (const bracket of ']}') steps[bracket.charCodeAt(0)] = -1;

/**
 * The first key that a JSON object has twice at its own level; undefined when none is. The text must be valid JSON: one
 * pass over what stands between its strings, which are leapt over.
 */
export function repeatedKey(text: string): string | undefined {
  const keys: string[] = [];
  let start = text.indexOf('"');
  while (start >= 0) {
    const end = endOfString(text, start + 1);
    const key = readKey(text.slice(start + 1, end));
    if (keys.includes(key)) return key;
    keys.push(key);
    start = text.indexOf('"', endOfValue(text, end + 1));
  }
  return undefined;
}

/** Past the value that begins somewhere after here, and the comma that follows it. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Digits, colons and the letters of numbers are most of what is not a string.
    if (unit > comma && unit < openList) continue;
    if (unit === quote) at = endOfString(text, at + 1);
    else if (unit === comma && depth === 0) return at + 1;
    else depth += steps[unit] ?? 0;
  }
  return text.length;
}

/** Where the quote is that ends it: the next one without an odd number of backslashes before it. */
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

/** `"\u006dodel"` is the model too. */
const readKey = (raw: string): string => (raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw);
