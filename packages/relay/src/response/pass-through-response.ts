import { type JsonObject, parseJson, readImageTokenUsage, serviceTierField } from '@headgate/dialects';
import { hasFloatEmbeddings, type PassThrough, wantsBase64, withRequestedEncoding } from '@headgate/providers';
import { findUsage } from '../framing/usage-search.ts';
import { noReportedUsage, readUsage } from '../metering/read-usage.ts';
import { RelayError } from '../ports/relay-error.ts';
import { type EndpointKind, responseScanOf } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { textsInResponse, textsOfResponse } from '../tokens/response-texts.ts';
import { bufferResponse, bufferWholeResponse, maxBufferedBytes } from '../upstream/response-buffer.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import {
  collectStream,
  isEventStream,
  type JsonResponse,
  mergeEvents,
  readJsonResponse,
  transcriptUsage,
} from './collect-stream.ts';
import { allowedContentType } from './content-type.ts';
import type { LongResponse } from './deliver-long-response.ts';
import {
  decodeOrThrow,
  eventStreamMediaType,
  jsonMediaType,
  noResponseTexts,
  ocrFields,
  type ResponseReading,
  rerankFields,
  type WholeResponse,
  writeResponse,
} from './written-response.ts';

export async function readPassedResponse(
  reading: ResponseReading,
  wire: PassThrough,
  response: UpstreamResponse,
): Promise<WholeResponse | LongResponse> {
  const { request, share, begun } = reading;
  if (begun) return streamed(reading, wire, await bufferWholeResponse(response, share, begun));
  const isInEvents = request.kind.hasTextOutput && isEventStream(response);
  if (isInEvents && wire.watch) return writeResponse(reading, await collectStream(reading, wire.watch, response));
  const began = await bufferResponse(response, maxBufferedBytes, share);
  // The usage of an OCR response follows its pages.
  const mustBeWhole = request.kind.billedBy === 'pages' || needsTranslation(request, began.body);
  const mayPass = !began.isWhole && !isInEvents && !mustBeWhole;
  if (mayPass) return longReply(request, began.body, response);
  const came = began.isWhole ? began.body : await bufferWholeResponse(response, share, began.body);
  return passedWhole(reading, wire, {
    body: isInEvents ? mergeEvents(came, responseScanOf(request.kind)) : came,
    response,
  });
}

/** Converts a whole response to a short stream, because the client requested a stream. */
function streamed(reading: ResponseReading, wire: PassThrough, body: Buffer): WholeResponse {
  const { request } = reading;
  if (wire.watch) return writeResponse(reading, decodeOrThrow(wire.watch.decode, parseJson(body.toString('utf8'))));
  const scan = responseScanOf(request.kind);
  const { reply, usage } = readJsonResponse(body, request.kind, wire.hiddenError);
  const write = (shown: JsonObject) => ({ body: Buffer.from(scan.splitIntoEvents(shown, request.wantsUsage)) });
  return {
    ...write(reply),
    ...(usage === undefined && { withUsage: (counted) => write(scan.withUsage(reply, counted)) }),
    contentType: eventStreamMediaType,
    reported: readUsage(usage, request),
    responseTexts: () => textsInResponse(reply, scan),
  };
}

interface CameWhole {
  readonly body: Buffer;
  readonly response: UpstreamResponse;
}

function passedWhole(reading: ResponseReading, wire: PassThrough, { body, response }: CameWhole): WholeResponse {
  const { request } = reading;
  if (request.kind.responseType === 'text') {
    const contentType = allowedContentType('text', response.headers['content-type'], jsonMediaType);
    const use = transcriptUsage(body, responseScanOf(request.kind), request);
    return typeof use === 'string'
      ? {
          body,
          contentType,
          reported: noReportedUsage,
          responseTexts: () => ({ texts: [{ thread: '', text: use }], tokens: 0 }),
        }
      : { body, contentType, reported: noReportedUsage, use, responseTexts: noResponseTexts };
  }
  const readUnits = unitReaders[request.kind.billedBy];
  if (readUnits) {
    const { reply } = readJsonResponse(body, request.kind, wire.hiddenError);
    return { body, contentType: jsonMediaType, ...readUnits(reply, reading) };
  }
  if (wire.watch) {
    const came = parseJson(body.toString('utf8'));
    const response = decodeOrThrow(wire.watch.decode, came);
    return {
      body,
      response: body,
      keptAs: wire.watch.keptAs?.(came),
      contentType: jsonMediaType,
      reported: readUsage(response.usage, request),
      responseTexts: () => textsOfResponse(response),
    };
  }
  const scan = responseScanOf(request.kind);
  const reported = mayBeSearched(request, wire)
    ? readUsage(findUsage(body, scan, request.kind.hasTextOutput), request)
    : noReportedUsage;
  const isSure = reported.prompt && (reported.completion || !request.kind.hasTextOutput);
  if (isSure)
    return {
      body,
      contentType: 'application/json',
      reported,
      responseTexts: () => textsInResponse(parseJson(body.toString('utf8')), scan),
    };
  const reply = readJsonResponse(body, request.kind, wire.hiddenError);
  const isUntold = reply.usage === undefined && request.kind.hasTextOutput;
  return {
    body: inRequestedEncoding(reply, request),
    ...(isUntold && {
      withUsage: (counted) => ({ body: Buffer.from(JSON.stringify(scan.withUsage(reply.reply, counted))) }),
    }),
    contentType: 'application/json',
    reported: readUsage(reply.usage, request),
    drawn: readImageTokenUsage(reply.reply),
    responseTexts: () => textsInResponse(reply.reply, scan),
  };
}

/** Readers of the usage of responses that are not charged by tokens. */
const unitReaders: Partial<Record<EndpointKind['billedBy'], typeof rerankFields | typeof ocrFields>> = {
  ranking: rerankFields,
  pages: ocrFields,
};

function longReply({ kind }: RelayRequest, begun: Buffer, response: UpstreamResponse): LongResponse {
  if (kind.responseType === 'text')
    return { begun, contentType: allowedContentType('text', response.headers['content-type'], jsonMediaType) };
  // Errors are never this long, so the body is a response.
  if (/^\s*\{/.test(begun.toString('latin1', 0, 64))) return { begun, contentType: jsonMediaType };
  response.abort();
  throw new RelayError(502, 'The upstream response is not JSON', 'bad_response');
}

/**
 * True if the response must be translated: to another dialect, or from numbers to the base64 that the client requested.
 */
const needsTranslation = ({ kind, body }: RelayRequest, begun: Buffer): boolean =>
  kind.translation !== undefined ||
  (kind.name === 'embeddings' && wantsBase64(body) && hasFloatEmbeddings(begun.toString('latin1', 0, 64 * 1024)));

/** True if only the usage is needed from a response. */
const mayBeSearched = ({ kind, body }: RelayRequest, wire: PassThrough): boolean =>
  kind.billedBy === 'tokens' && !wire.hiddenError && !wantsBase64(body) && body[serviceTierField] === undefined;

/**
 * Embeddings in the requested encoding: some upstreams return numbers, which a client that requested base64 would
 * misread.
 */
function inRequestedEncoding({ body, reply }: JsonResponse, request: RelayRequest): Buffer {
  if (request.kind.name !== 'embeddings') return body;
  const encoded = withRequestedEncoding(reply, request.body);
  return encoded === reply ? body : Buffer.from(JSON.stringify(encoded));
}
