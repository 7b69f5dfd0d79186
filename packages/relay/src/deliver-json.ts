import type { JsonObject } from '@headgate/dialects';
import { type PassThrough, problemInside, usageBeside } from '@headgate/providers';
import type { EndpointKind } from './endpoint-kinds.ts';
import { GuardedSink } from './guarded-sink.ts';
import { RelayError } from './relay-error.ts';
import { saidIn } from './tokens/said.ts';
import { parseJson } from './upstream-error.ts';
import { UpstreamFailure, type UpstreamResponse, type UpstreamSink } from './upstream-exchange.ts';

/** A whole answer, not yet sent: its end is seen only after it was charged. */
export interface JsonReply {
  readonly body: Buffer;
  readonly reply: JsonObject;
  /** As the upstream tells it. */
  readonly usage: unknown;
}

/** Reads an answer to its end, up to a limit. */
export function collect(response: UpstreamResponse, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const sink: UpstreamSink = {
      data(chunk) {
        length += chunk.length;
        if (length <= limit) chunks.push(chunk);
        else {
          response.abort();
          reject(new UpstreamFailure('the answer is too long'));
        }
      },
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}

/** The beginning of an answer; of one that is longer the rest is not waited for. */
export function beginning(response: UpstreamResponse, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const sink: UpstreamSink = {
      data(chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length < most) return;
        resolve(Buffer.concat(chunks));
        response.abort();
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
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
  const { texts, tokens } = saidIn(reply);
  if (texts.length === 0 && tokens === 0) throw problemInside({ ...reply, error: inside }, noAnswer);
}
