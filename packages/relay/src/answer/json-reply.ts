import { type JsonObject, parseJson } from '@headgate/dialects';
import { type PassThrough, problemInside, usageBeside } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import type { EndpointKind } from '../request/endpoint-kinds.ts';
import { textsInReply } from '../tokens/answer-texts.ts';

/** A whole answer, not yet sent: its end is seen only after it was charged. */
export interface JsonReply {
  readonly body: Buffer;
  readonly reply: JsonObject;
  /** As the upstream tells it. */
  readonly usage: unknown;
}

/** Reads the answer of an endpoint that does not stream; an error inside a 200 is one all the same. */
export function readJsonReply(body: Buffer, kind: EndpointKind, hiddenError?: PassThrough['hiddenError']): JsonReply {
  const reply = parseJson(body.toString('utf8'));
  if (typeof reply !== 'object' || reply === null)
    throw new RelayError(502, 'The upstream sent no JSON', 'bad_response');
  const hidden = hiddenError?.read(reply as JsonObject);
  if (hidden) {
    hidden.usage ??= usageBeside(reply);
    throw hidden;
  }
  const { error, usage, choices } = reply as { error?: unknown; usage?: unknown; choices?: unknown };
  if (!kind.answersText && error) throw problemInside(reply, noAnswer);
  if (kind.answersText) requireWords(reply, { error, choices });
  return { body, reply: reply as JsonObject, usage };
}

const noAnswer = 'The upstream sent no answer';

/** An error beside choices that say something is part of an answer; beside others, or in one of them, it is the answer. */
function requireWords(reply: object, { error, choices }: { error?: unknown; choices?: unknown }): void {
  if (!Array.isArray(choices)) throw problemInside(reply, noAnswer);
  const inside = error || choices.map((choice: { error?: unknown } | null) => choice?.error).find(Boolean);
  if (!inside) return;
  const { texts, tokens } = textsInReply(reply);
  if (texts.length === 0 && tokens === 0) throw problemInside({ ...reply, error: inside }, noAnswer);
}
