import { RequestProblem } from '@headgate/dialects';
import type { Upstream } from './provider.ts';

/** Maximum bytes of a character in JSON: `\u0001`. */
const maxCharacterLength = 6;
const maxNumberLength = 24;

/**
 * Serializes the JSON body of an upstream request. Throws before serializing if the body would be too large: a short
 * request can repeat a long string, such as an image or a tool name, in many places.
 */
export function jsonBody(value: unknown, { largestBody }: Pick<Upstream, 'largestBody'>): string {
  const unescaped = sizeOf(value, largestBody, Buffer.byteLength);
  // Escapes are measured only if the body may be too large.
  const isSmall = unescaped * maxCharacterLength <= largestBody;
  if (isSmall || (unescaped <= largestBody && sizeOf(value, largestBody, escapedSizes()) <= largestBody))
    return JSON.stringify(value);
  throw new RequestProblem('messages', `The request would exceed ${largestBody} bytes on this channel`);
}

/** JSON size of a value, or slightly more; stops above `most`. `sizeOfText` measures a string without quotes. */
function sizeOf(value: unknown, max: number, sizeOfText: (text: string) => number): number {
  let size = 0;
  const add = (bytes: number): boolean => {
    size += bytes;
    return size <= max;
  };
  const walk = (item: unknown): boolean => {
    if (typeof item === 'string') return add(sizeOfText(item) + 2);
    if (typeof item !== 'object' || item === null) return add(maxNumberLength);
    // Including brackets and commas.
    if (Array.isArray(item)) return add(item.length + 2) && item.every(walk);
    return add(2) && Object.entries(item).every(([name, each]) => add(sizeOfText(name) + 4) && walk(each));
  };
  walk(value);
  return size;
}

const shortText = 1024;
const maxRecent = 8;

/** JSON-escaped sizes of strings; a long repeated string is measured once. */
function escapedSizes(): (text: string) => number {
  const recent: { readonly text: string; readonly bytes: number }[] = [];
  return (text) => {
    if (text.length < shortText) return escapedSize(text);
    const known = recent.find((each) => each.text === text);
    if (known) return known.bytes;
    const bytes = escapedSize(text);
    recent.unshift({ text, bytes });
    recent.splice(maxRecent);
    return bytes;
  };
}

const pieceLength = 64 * 1024;

/** UTF-8 bytes of a string in JSON, plus a few for a character that is split between two chunks. */
function escapedSize(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += pieceLength)
    bytes += Buffer.byteLength(JSON.stringify(text.slice(at, at + pieceLength))) - 2;
  return bytes;
}
