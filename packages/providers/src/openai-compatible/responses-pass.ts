import { isObject, readSeal, textAt } from '@headgate/dialects';
import type { JsonObject, PassThrough, Upstream } from '../provider.ts';
import { openaiLeavesOut } from './left-out.ts';
import { type Dialect, passThrough } from './pass-through.ts';
import { responsesReader } from './responses-answer.ts';

/** OpenAI's responses, at an upstream that has them itself. */
export const responsesPass = (
  dialect: Omit<Dialect, 'quirks'> = {},
  leavesOut?: PassThrough['leavesOut'],
): PassThrough =>
  passThrough('/v1/responses', {
    ...dialect,
    quirks: {
      patch: patchResponses,
      leavesOut: (body, upstream) => [...leftOut(body, upstream), ...(leavesOut?.(body, upstream) ?? [])],
      watch: responsesReader,
    },
  });

/** What is made when nobody listens any more is used, and told to nobody who could charge it. */
const leftOut = (body: JsonObject, upstream: Upstream): readonly string[] =>
  body['background'] === true ? [...openaiLeavesOut(body, upstream), 'background'] : openaiLeavesOut(body, upstream);

function patchResponses({ input, store }: JsonObject): JsonObject {
  if (!Array.isArray(input)) return {};
  const known = (input as readonly unknown[]).filter((item) => !isForeignThought(item, store === false));
  return known.length === input.length ? {} : { input: known };
}

/** A thought of another maker's, or one that nobody kept: a conversation that began elsewhere goes on without. */
function isForeignThought(item: unknown, isUnstored: boolean): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return false;
  const seal = textAt(item, 'encrypted_content');
  if (seal === '') return isUnstored || isOwnId(textAt(item, 'id'));
  return readSeal(seal, 'openai').maker !== 'openai';
}

/** As translated responses name theirs; OpenAI's have no second part. */
const isOwnId = (id: string): boolean => id.includes('_', 'rs_'.length);
