import { isObject, readTaggedSignature, textAt } from '@headgate/dialects';
import type { JsonObject, PassThrough } from '../provider.ts';
import { passThrough, type VendorDialect } from './pass-through.ts';
import { responsesReader } from './responses-stream.ts';

const path = '/v1/responses';

type Place = Pick<VendorDialect, 'address' | 'headers'>;

/** OpenAI's Responses API at an upstream that supports it. */
export const responsesPass = (place: Place = {}, drops?: PassThrough['drops']): PassThrough =>
  passThrough(path, {
    ...place,
    quirks: {
      patch: patchResponses,
      ...(drops && { drops }),
      watch: responsesReader,
      isOptional: true,
    },
  });

/** OpenAI's Responses API at an upstream that stores responses, so that they can be retrieved. */
export const storedResponsesPass = (place: Place = {}): PassThrough => ({
  ...responsesPass(place),
  storedResponse: (upstream, below) => passThrough(path + below, place).send(upstream),
});

/** Compaction of a conversation by the upstream. */
export const compactPass = (place: Place = {}): PassThrough =>
  passThrough(`${path}/compact`, { ...place, quirks: { patch: patchResponses, watch: responsesReader } });

function patchResponses({ input, store }: JsonObject): JsonObject {
  if (!Array.isArray(input)) return {};
  const known = (input as readonly unknown[]).filter((item) => !isForeignThought(item, store === false));
  return known.length === input.length ? {} : { input: known };
}

/**
 * Whether reasoning must be dropped: it is from another maker, not stored, or its id was removed because it belongs
 * to another user.
 */
function isForeignThought(item: unknown, isUnstored: boolean): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return false;
  const seal = textAt(item, 'encrypted_content');
  const id = textAt(item, 'id');
  if (seal === '') return isUnstored || id === '' || isGatewayId(id);
  return readTaggedSignature(seal, 'openai').maker !== 'openai';
}

/** Whether the gateway created the id; OpenAI's ids have no second part. */
const isGatewayId = (id: string): boolean => id.includes('_', 'rs_'.length);
