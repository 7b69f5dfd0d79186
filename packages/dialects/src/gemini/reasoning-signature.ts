import {
  type ReasoningBlock,
  type ReasoningVendor,
  readTaggedSignature,
  taggedSignature,
} from '../chat/reasoning-block.ts';
import { type JsonBoundsCounter, requestBounds } from '../json-bounds.ts';
import { isObject, parseJson } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

/**
 * Encodes another vendor's reasoning as a Google-style signature: base64 bytes, as its SDKs require. Clients send
 * signatures back but may drop reasoning text, so the text is included: without it the vendor rejects the signature.
 */
export const encodeForeignReasoning = (maker: ReasoningVendor, thoughts: readonly ReasoningBlock[]): string =>
  Buffer.from(taggedSignature(maker, JSON.stringify(thoughts.map(({ maker: _, ...thought }) => thought)))).toString(
    'base64',
  );

/**
 * Decodes another vendor's reasoning from a signature; undefined for Google's own signatures. `tally` limits the total
 * size of all signatures in a request.
 */
export function decodeForeignReasoning(
  signature: string,
  tally: JsonBoundsCounter,
): readonly ReasoningBlock[] | undefined {
  if (!signature.startsWith(tagStart)) return undefined;
  const { maker, seal } = readTaggedSignature(Buffer.from(signature, 'base64').toString('utf8'), 'google');
  if (maker === 'google') return undefined;
  return listIn(seal, tally).flatMap((value) => readThought(value, maker));
}

/** Common prefix, so that Google's own signatures are not decoded. */
const tagStart = Buffer.from('hg1.').toString('base64').slice(0, 5);

function readThought(value: unknown, maker: ReasoningVendor): readonly ReasoningBlock[] {
  if (!isObject(value)) return [];
  const [signature, sealed, id] = [textAt(value, 'signature'), textAt(value, 'sealed'), textAt(value, 'id')];
  return [
    {
      text: textAt(value, 'text'),
      maker,
      ...(signature !== '' && { signature }),
      ...(sealed !== '' && { sealed }),
      ...(id !== '' && { id }),
    },
  ];
}

/** Empty if the client changed the text, or if the request's signatures exceed the JSON limits. */
function listIn(json: string, tally: JsonBoundsCounter): readonly unknown[] {
  const value = tally.add(json) ? parseJson(json, requestBounds) : undefined;
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
