import {
  type ChatResponse,
  deltasOf,
  type ImageTokenUsage,
  imageTokenUsageOf,
  isObject,
  type JsonObject,
  parseJson,
  readImageTokenUsage,
  type StreamWriter,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import {
  type ChatAdaptor,
  isRanking,
  type JsonAdaptor,
  type PassThrough,
  problemInside,
  type StoredIds,
  startsWithNumbers,
  wantsBase64,
  withRequestedEncoding,
} from '@headgate/providers';
import { findUsage } from '../framing/usage-search.ts';
import { keyGuardOf } from '../guards/key-guard.ts';
import { rankingUsage } from '../metering/ranking.ts';
import { noReportedUsage, type ReportedUsage, readUsage } from '../metering/read-usage.ts';
import { type DisconnectSignal, sleepUnlessDisconnected } from '../ports/client-sink.ts';
import { RelayError } from '../ports/relay-error.ts';
import { isChatAdaptor, type PreparedRequest } from '../prepare/prepare-request.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import { responseScanOf } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import { type ResponseTexts, textsInResponse, textsOfResponse } from '../tokens/response-texts.ts';
import {
  type BufferShare,
  bufferResponse,
  bufferWholeResponse,
  maxBufferedBytes,
} from '../upstream/response-buffer.ts';
import type { Upstreams } from '../upstream/upstream.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import { allowedContentType } from './content-type.ts';
import { type LongResponse, responseEnvelope } from './deliver-long-response.ts';
import {
  gatherStream,
  isEventStream,
  type JsonResponse,
  mergeEvents,
  readJsonResponse,
  transcriptUsage,
} from './gather-stream.ts';

/** A whole response that is not sent yet: its end is sent only after the charge is stored. */
export interface WholeResponse {
  readonly body: Buffer;
  /** The response as JSON, if it may have to be stored. */
  readonly answer?: Buffer | undefined;
  /** Builds the response with counted usage; absent when the upstream reported usage. */
  readonly withUsage?: ((counted: Usage) => WrittenReply) | undefined;
  readonly contentType: string;
  readonly reported: ReportedUsage;
  /** Usage of a transcript or a ranking; undefined when it must be counted. */
  readonly use?: TokenCount | undefined;
  /** Image usage reported by the upstream; undefined without a report. */
  readonly drawn?: ImageTokenUsage | undefined;
  /** Ids under which the upstream stores the response; undefined if it reports none. */
  readonly keptAs?: StoredIds | undefined;
  /** Texts of the response, to be counted when no usage is reported. */
  readonly answerTexts: () => ResponseTexts;
  /** The response has content that costs nothing. */
  readonly hasFreeOutput?: true;
}

type WrittenReply = Pick<WholeResponse, 'body' | 'answer'>;

interface Reading {
  readonly request: RelayRequest;
  readonly prepared: PreparedRequest;
  readonly requestId: string;
  readonly upstreams: Upstreams;
  readonly signal: DisconnectSignal;
  readonly share: BufferShare;
  /** Start of a whole response received instead of a stream; the rest is still in the upstream response. */
  readonly begun?: Buffer | undefined;
}

/**
 * Reads a response to its end in any wire format and throws an error inside a 200. For a response that is too long to
 * buffer and needs no translation, returns the part received so far.
 */
export async function readWholeResponse(
  reading: Reading,
  response: UpstreamResponse,
): Promise<WholeResponse | LongResponse> {
  try {
    const reply = await read(reading, response);
    if ('begun' in reply) return reply;
    const guard = keyGuardOf(reading.prepared.channel);
    const finished = ({ body, answer }: WrittenReply): WrittenReply => ({
      body: guard.mask(inClientDialect(reading.request, body)),
      answer: answer && guard.mask(answer),
    });
    const { withUsage } = reply;
    return {
      ...reply,
      ...finished(reply),
      answerTexts: () => countable(reply),
      ...(withUsage && { withUsage: (counted) => finished(withUsage(counted)) }),
    };
  } catch (error) {
    // JSON.parse accepts any nesting depth, but JSON.stringify does not.
    throw error instanceof RangeError ? unreadable() : error;
  }
}

/** Texts of the response, or its length when it is nested too deeply to be read. */
function countable({ answerTexts, body }: WholeResponse): ResponseTexts {
  try {
    return answerTexts();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { texts: [], tokens: estimateTokens(body.length) };
  }
}

const unreadable = () => new UpstreamProblem(502, 'The upstream returned an unreadable response', 'bad_response');

/** Converts the body to the client's dialect at endpoints that do not use OpenAI's. */
function inClientDialect({ kind: { translation } }: RelayRequest, body: Buffer): Buffer {
  if (!translation) return body;
  const reply = parseJson(body.toString('utf8'));
  return Buffer.from(JSON.stringify(translation.write(isObject(reply) ? reply : {})));
}

function read(reading: Reading, response: UpstreamResponse): Promise<WholeResponse | LongResponse> {
  const { wire } = reading.prepared;
  if (wire.kind === 'pass') return passed(reading, wire, response);
  return isChatAdaptor(wire) ? convertedChat(reading, wire, response) : convertedJson(reading, wire, response);
}

async function passed(
  reading: Reading,
  wire: PassThrough,
  response: UpstreamResponse,
): Promise<WholeResponse | LongResponse> {
  const { request, share, begun } = reading;
  if (begun) return streamed(reading, wire, await bufferWholeResponse(response, share, begun));
  const isInEvents = request.kind.hasTextOutput && isEventStream(response);
  if (isInEvents && wire.watch) return written(reading, await gatherStream(reading, wire.watch, response));
  const began = await bufferResponse(response, maxBufferedBytes, share);
  const mayPass = !began.isWhole && !isInEvents && !needsTranslation(request, began.body);
  if (mayPass) return longReply(request, began.body, response);
  const came = began.isWhole ? began.body : await bufferWholeResponse(response, share, began.body);
  return passedWhole(reading, wire, {
    body: isInEvents ? mergeEvents(came, responseScanOf(request.kind)) : came,
    response,
  });
}

/** Turns a whole response into a short stream, because the client requested a stream. */
function streamed(reading: Reading, wire: PassThrough, body: Buffer): WholeResponse {
  const { request } = reading;
  if (wire.watch) return written(reading, readable(wire.watch.decode, parseJson(body.toString('utf8'))));
  const scan = responseScanOf(request.kind);
  const { reply, usage } = readJsonResponse(body, request.kind, wire.hiddenError);
  const write = (shown: JsonObject) => ({ body: Buffer.from(scan.splitIntoEvents(shown, request.wantsUsage)) });
  return {
    ...write(reply),
    ...(usage === undefined && { withUsage: (counted) => write(scan.withUsage(reply, counted)) }),
    contentType: events,
    reported: readUsage(usage, request),
    answerTexts: () => textsInResponse(reply, scan),
  };
}

interface CameWhole {
  readonly body: Buffer;
  readonly response: UpstreamResponse;
}

function passedWhole(reading: Reading, wire: PassThrough, { body, response }: CameWhole): WholeResponse {
  const { request } = reading;
  if (request.kind.responseType === 'text') {
    const contentType = allowedContentType('text', response.headers['content-type'], json);
    const use = transcriptUsage(body, responseScanOf(request.kind), request);
    return typeof use === 'string'
      ? {
          body,
          contentType,
          reported: noReportedUsage,
          answerTexts: () => ({ texts: [{ thread: '', text: use }], tokens: 0 }),
        }
      : { body, contentType, reported: noReportedUsage, use, answerTexts: noTexts };
  }
  if (request.kind.billedBy === 'ranking') {
    return {
      body,
      contentType: json,
      ...rankedBy(readJsonResponse(body, request.kind, wire.hiddenError).reply, reading),
    };
  }
  if (wire.watch) {
    const came = parseJson(body.toString('utf8'));
    const answer = readable(wire.watch.decode, came);
    return {
      body,
      answer: body,
      keptAs: wire.watch.keptAs?.(came),
      contentType: json,
      reported: readUsage(answer.usage, request),
      answerTexts: () => textsOfResponse(answer),
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
      answerTexts: () => textsInResponse(parseJson(body.toString('utf8')), scan),
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
    answerTexts: () => textsInResponse(reply.reply, scan),
  };
}

function longReply({ kind }: RelayRequest, begun: Buffer, response: UpstreamResponse): LongResponse {
  if (kind.responseType === 'text')
    return { begun, contentType: allowedContentType('text', response.headers['content-type'], json) };
  // Errors are never this long, so the body is a response.
  if (/^\s*\{/.test(begun.toString('latin1', 0, 64))) return { begun, contentType: json };
  response.abort();
  throw new RelayError(502, 'The upstream response is not JSON', 'bad_response');
}

const json = 'application/json';
const events = 'text/event-stream; charset=utf-8';

/**
 * Whether the response must be translated: to another dialect, or from numbers to the base64 that the client
 * requested.
 */
const needsTranslation = ({ kind, body }: RelayRequest, begun: Buffer): boolean =>
  kind.translation !== undefined ||
  (kind.name === 'embeddings' && wantsBase64(body) && startsWithNumbers(begun.toString('latin1', 0, 64 * 1024)));

async function convertedChat(reading: Reading, wire: ChatAdaptor, response: UpstreamResponse): Promise<WholeResponse> {
  const { share, begun } = reading;
  const comesInPieces = !begun && wire.stream?.framing === 'sse' && isEventStream(response);
  const answer =
    wire.decode && !comesInPieces
      ? readable(wire.decode, await jsonIn(response, share, begun))
      : await gatherStream(reading, wire, response);
  const reply = written(reading, answer);
  return wire.hasFreeOutput ? { ...reply, answerTexts: noTexts, hasFreeOutput: true } : reply;
}

/** The response in the client's dialect; as a stream if the client requested one and the upstream does not stream. */
function written({ request, requestId }: Reading, answer: ChatResponse): WholeResponse {
  const { dialect } = request.kind;
  const reply = responseEnvelope(request, requestId);
  const write = (usage: Usage | undefined) => {
    const counted = { ...answer, usage };
    const writer = request.isStream ? dialect.openStream(reply) : undefined;
    const body = Buffer.from(writer ? inEvents(counted, writer) : dialect.writeResponse(counted, reply));
    const whole = writer?.whole === undefined ? undefined : Buffer.from(writer.whole);
    return {
      body,
      answer: writer ? whole : body,
      contentType: writer ? (writer.contentType ?? events) : json,
    };
  };
  return {
    ...write(answer.usage),
    ...(answer.usage === undefined && { withUsage: write }),
    reported: readUsage(answer.usage, request),
    answerTexts: () => textsOfResponse(answer),
  };
}

const inEvents = (reply: ChatResponse, writer: StreamWriter): string =>
  [...deltasOf(reply).map((delta) => writer.write(delta)), writer.end(reply.usage)].join('');

async function convertedJson(reading: Reading, wire: JsonAdaptor, response: UpstreamResponse): Promise<WholeResponse> {
  const { view, channel } = reading.prepared;
  const requested = reading.request.body;
  const decode = (body: unknown) => readable(() => wire.decode(body, view, requested), body);
  let answer = decode(await jsonIn(response, reading.share));
  for (let requested = 0; 'next' in answer; requested += 1) {
    if (requested >= maxPolls) throw new UpstreamProblem(504, 'The upstream task timed out');
    await sleepUnlessDisconnected(answer.afterMs, reading.signal);
    const again = await reading.upstreams.open({ ...answer.next, body: answer.next.body }, reading.signal, channel);
    answer = decode(await jsonIn(again, reading.share));
  }
  const { reply, usage } = answer;
  const body = Buffer.from(JSON.stringify(withRequestedEncoding(reply, requested)));
  if (reading.request.kind.billedBy === 'ranking') return { body, contentType: json, ...rankedBy(reply, reading) };
  const drawn = imageTokenUsageOf(usage);
  return { body, contentType: json, reported: readUsage(usage, reading.request), drawn, answerTexts: noTexts };
}

/** Usage of a ranking; throws for a response without a ranking. */
function rankedBy(reply: JsonObject, { request, prepared }: Reading) {
  if (!isRanking(reply)) throw problemInside(reply, 'The upstream returned no ranking');
  return { ...rankingUsage(reply, request, prepared.channel), answerTexts: noTexts };
}

/** Whether the usage is all that is needed from a response. */
const mayBeSearched = ({ kind, body }: RelayRequest, wire: PassThrough): boolean =>
  kind.billedBy === 'tokens' && !wire.hiddenError && !wantsBase64(body) && body['service_tier'] === undefined;

/**
 * Embeddings in the requested encoding: some upstreams return numbers, which a client that requested base64 would
 * misread.
 */
function inRequestedEncoding({ body, reply }: JsonResponse, request: RelayRequest): Buffer {
  if (request.kind.name !== 'embeddings') return body;
  const encoded = withRequestedEncoding(reply, request.body);
  return encoded === reply ? body : Buffer.from(JSON.stringify(encoded));
}

const maxPolls = 120;

const jsonIn = async (response: UpstreamResponse, share: BufferShare, begun?: Buffer) =>
  parseJson((await bufferWholeResponse(response, share, begun)).toString('utf8'));

/** A response that an adaptor cannot read is an upstream error. */
function readable<T>(decode: (body: unknown) => T, body: unknown): T {
  try {
    return decode(body);
  } catch (error) {
    if (error instanceof UpstreamProblem) throw error;
    throw unreadable();
  }
}

const noTexts = (): ResponseTexts => ({ texts: [], tokens: 0 });
