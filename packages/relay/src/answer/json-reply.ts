import { type AnswerScan, type JsonObject, parseJson, type UsageClaim } from '@headgate/dialects';
import { errorIn, type PassThrough, problemBeside, problemInside, usageBeside } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import { type EndpointKind, scanOf } from '../request/endpoint-kinds.ts';
import { textsInReply } from '../tokens/answer-texts.ts';

/** A whole response, not yet sent: its end is sent only after the charge is stored. */
export interface JsonReply {
  readonly body: Buffer;
  readonly reply: JsonObject;
  /** Usage as the upstream reports it, not yet validated. */
  readonly usage: UsageClaim | undefined;
}

/** Reads the response of an endpoint that does not stream. An error inside a 200 is treated as an error. */
export function readJsonReply(body: Buffer, kind: EndpointKind, hiddenError?: PassThrough['hiddenError']): JsonReply {
  const reply = parseJson(body.toString('utf8'));
  if (typeof reply !== 'object' || reply === null)
    throw new RelayError(502, 'The upstream response is not JSON', 'bad_response');
  const hidden = hiddenError?.read(reply as JsonObject);
  if (hidden) {
    hidden.usage ??= usageBeside(reply);
    throw hidden;
  }
  const answer = reply as JsonObject;
  const scan = scanOf(kind);
  if (kind.answersText) requireWords(answer, scan);
  else if (errorIn(answer)) throw problemInside(reply, noAnswer);
  return { body, reply: answer, usage: scan.readUsage(scan.usageIn(answer)) };
}

const noAnswer = 'The upstream returned no answer';

/** An error next to content is part of the response; without content it is thrown. */
function requireWords(reply: JsonObject, scan: AnswerScan): void {
  if (!scan.isAnswer(reply)) throw problemInside(reply, noAnswer);
  const inside = errorIn(reply) ?? scan.errorAmong(reply);
  if (!inside) return;
  const { texts, tokens } = textsInReply(reply, scan);
  if (texts.length === 0 && tokens === 0) throw problemBeside(reply, inside, noAnswer);
}
