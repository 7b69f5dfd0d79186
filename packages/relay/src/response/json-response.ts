import { type JsonObject, parseJson, type ResponseScan, type UsageClaim } from '@headgate/dialects';
import { errorIn, type PassThrough, problemInside, problemWithError, usageWithError } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import { type EndpointKind, responseScanOf } from '../request/endpoint-kinds.ts';
import { textsInResponse } from '../tokens/response-texts.ts';

/** A whole response that is not sent yet: its end is sent only after the charge is stored. */
export interface JsonResponse {
  readonly body: Buffer;
  readonly reply: JsonObject;
  /** Usage that the upstream reports, not yet validated. */
  readonly usage: UsageClaim | undefined;
}

/** Reads the response of an endpoint that does not stream. An error inside a 200 is treated as an error. */
export function readJsonResponse(
  body: Buffer,
  kind: EndpointKind,
  hiddenError?: PassThrough['hiddenError'],
): JsonResponse {
  const reply = parseJson(body.toString('utf8'));
  if (typeof reply !== 'object' || reply === null)
    throw new RelayError(502, 'The upstream response is not JSON', 'bad_response');
  const hidden = hiddenError?.read(reply as JsonObject);
  if (hidden) {
    hidden.usage ??= usageWithError(reply);
    throw hidden;
  }
  const answer = reply as JsonObject;
  const scan = responseScanOf(kind);
  if (kind.hasTextOutput) requireContent(answer, scan);
  else if (errorIn(answer)) throw problemInside(reply, noResponseError);
  return { body, reply: answer, usage: scan.readUsage(scan.usageIn(answer)) };
}

const noResponseError = 'The upstream returned no answer';

/** Throws an error in the response, unless the response also has content. */
function requireContent(reply: JsonObject, scan: ResponseScan): void {
  if (!scan.isAnswer(reply)) throw problemInside(reply, noResponseError);
  const inside = errorIn(reply) ?? scan.errorAmong(reply);
  if (!inside) return;
  const { texts, tokens } = textsInResponse(reply, scan);
  if (texts.length === 0 && tokens === 0) throw problemWithError(reply, inside, noResponseError);
}
