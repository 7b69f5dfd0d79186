import {
  type ChatResponse,
  type ImageTokenUsage,
  type JsonObject,
  type StreamWriter,
  toDeltas,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import { errorInSuccess, isOcrResponse, isRerankResponse, type StoredIds } from '@headgate/providers';
import { pageUsage } from '../metering/pages.ts';
import { rankingUsage } from '../metering/ranking.ts';
import { type ReportedUsage, readUsage } from '../metering/read-usage.ts';
import type { DisconnectSignal } from '../ports/client-sink.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { type ResponseTexts, textsOfResponse } from '../tokens/response-texts.ts';
import type { BufferShare } from '../upstream/response-buffer.ts';
import type { Upstreams } from '../upstream/upstream.ts';
import { responseEnvelope } from './deliver-long-response.ts';

/** A whole response that is not sent yet: its end is sent only after the charge is stored. */
export interface WholeResponse {
  readonly body: Buffer;
  /** The response as JSON, if it may have to be stored. */
  readonly response?: Buffer | undefined;
  /** Builds the response with counted usage; absent if the upstream reported usage. */
  readonly withUsage?: ((counted: Usage) => WrittenResponse) | undefined;
  readonly contentType: string;
  readonly reported: ReportedUsage;
  /** Usage of a transcript, a rerank or an OCR response; undefined if it must be counted. */
  readonly use?: TokenCount | undefined;
  /** Image usage reported by the upstream; undefined without a report. */
  readonly drawn?: ImageTokenUsage | undefined;
  /** Ids under which the upstream stores the response; undefined if it reports none. */
  readonly keptAs?: StoredIds | undefined;
  /** Texts of the response, to be counted if no usage is reported. */
  readonly responseTexts: () => ResponseTexts;
  /** True if only input is charged, so that a response without tokens is valid. */
  readonly hasFreeOutput?: true;
}

export type WrittenResponse = Pick<WholeResponse, 'body' | 'response'>;

export interface ResponseReading {
  readonly request: RelayRequest;
  readonly prepared: PreparedRequest;
  readonly requestId: string;
  readonly upstreams: Upstreams;
  readonly signal: DisconnectSignal;
  readonly share: BufferShare;
  /** Start of a whole response received instead of a stream; the rest is still in the upstream response. */
  readonly begun?: Buffer | undefined;
}

export const jsonMediaType = 'application/json';
export const eventStreamMediaType = 'text/event-stream; charset=utf-8';

export const noResponseTexts = (): ResponseTexts => ({ texts: [], tokens: 0 });

/** The response in the client's dialect; as a stream if the client requested one and the upstream does not stream. */
export function writeResponse({ request, requestId }: ResponseReading, response: ChatResponse): WholeResponse {
  const { dialect } = request.kind;
  const reply = responseEnvelope(request, requestId);
  const write = (usage: Usage | undefined) => {
    const counted = { ...response, usage };
    const writer = request.isStream ? dialect.openStream(reply) : undefined;
    const body = Buffer.from(writer ? inEvents(counted, writer) : dialect.writeResponse(counted, reply));
    const whole = writer?.whole === undefined ? undefined : Buffer.from(writer.whole);
    return {
      body,
      response: writer ? whole : body,
      contentType: writer ? (writer.contentType ?? eventStreamMediaType) : jsonMediaType,
    };
  };
  return {
    ...write(response.usage),
    ...(response.usage === undefined && { withUsage: write }),
    reported: readUsage(response.usage, request),
    responseTexts: () => textsOfResponse(response),
  };
}

const inEvents = (reply: ChatResponse, writer: StreamWriter): string =>
  [...toDeltas(reply).map((delta) => writer.write(delta)), writer.end(reply.usage)].join('');

/** Usage of a rerank response; throws if the body is not one. */
export function rerankFields(reply: JsonObject, { request, prepared }: ResponseReading) {
  if (!isRerankResponse(reply)) throw errorInSuccess(reply, 'The upstream returned no ranking');
  return { ...rankingUsage(reply, request, prepared.channel), responseTexts: noResponseTexts };
}

/** Usage of an OCR response; throws if the body is not one. */
export function ocrFields(reply: JsonObject, { request }: ResponseReading) {
  if (!isOcrResponse(reply)) throw errorInSuccess(reply, 'The upstream returned no pages');
  return { ...pageUsage(reply, request), responseTexts: noResponseTexts };
}

/** A response that an adaptor cannot read is an upstream error. */
export function decodeOrThrow<T>(decode: (body: unknown) => T, body: unknown): T {
  try {
    return decode(body);
  } catch (error) {
    if (error instanceof UpstreamProblem) throw error;
    throw unreadableResponseError();
  }
}

export const unreadableResponseError = () =>
  new UpstreamProblem(502, 'The upstream returned an unreadable response', 'bad_response');
