import {
  type ChatResponse,
  DeltaMerger,
  type JsonObject,
  parseJson,
  parseJsonObject,
  type ResponseScan,
  type UnverifiedUsage,
  UpstreamProblem,
} from '@headgate/dialects';
import {
  type ChatAdaptor,
  errorIn,
  errorInSuccess,
  type PassThrough,
  problemFrom,
  usageBesideError,
} from '@headgate/providers';
import { ConvertedStream } from '../framing/converted-stream.ts';
import { unitsForReportedDuration } from '../metering/transcription.ts';
import type { DisconnectSignal } from '../ports/client-sink.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import { type EndpointKind, responseScanOf } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { textsInResponse } from '../tokens/response-texts.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import {
  type BufferShare,
  maxBufferedBytes,
  maxTranslatedBytes,
  responseTooLongError,
} from '../upstream/response-buffer.ts';
import { UpstreamConnectionError, type UpstreamResponse, type UpstreamSink } from '../upstream/upstream-exchange.ts';

interface Gathering {
  readonly share: BufferShare;
  readonly signal: DisconnectSignal;
}

/** Buffers a stream into one response, for upstreams that only stream. */
export async function collectStream(
  { share, signal }: Gathering,
  wire: Pick<ChatAdaptor, 'stream'>,
  response: UpstreamResponse,
): Promise<ChatResponse> {
  const gatherer = new DeltaMerger();
  if (!wire.stream) throw new Error('An adaptor must decode responses or streams.');
  const stream = new ConvertedStream({ stream: wire.stream, gatherer });
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const sink: UpstreamSink = {
      data(chunk) {
        length += chunk.length;
        if (length > maxTranslatedBytes || (length > maxBufferedBytes && !share.take(chunk.length))) {
          reject(responseTooLongError(length > maxTranslatedBytes));
          response.abort();
          return;
        }
        stream.push(chunk);
        if (!stream.problem && !stream.isComplete) return;
        resolve();
        response.abort();
      },
      end: () => (signal.aborted ? reject(new UpstreamConnectionError('client disconnected', true)) : resolve()),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
  stream.finish();
  if (stream.problem) throw stream.problem;
  const reply = gatherer.response(stream.usage);
  if (!reply) throw new UpstreamProblem(502, "The upstream's stream was interrupted: unexpected end", 'upstream_broke');
  return reply;
}

/** A whole response that is not sent yet: its end is sent only after the charge is stored. */
export interface JsonResponse {
  readonly body: Buffer;
  readonly reply: JsonObject;
  /** Usage that the upstream reports, not yet validated. */
  readonly usage: UnverifiedUsage | undefined;
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
    hidden.usage ??= usageBesideError(reply);
    throw hidden;
  }
  const response = reply as JsonObject;
  const scan = responseScanOf(kind);
  if (kind.hasTextOutput) requireContent(response, scan);
  else if (errorIn(response)) throw errorInSuccess(reply, noResponseError);
  return { body, reply: response, usage: scan.readUsage(scan.usageIn(response)) };
}

const noResponseError = 'The upstream returned an empty response';

/** Throws an error in the response, unless the response also has content. */
function requireContent(reply: JsonObject, scan: ResponseScan): void {
  if (!scan.isResponse(reply)) throw errorInSuccess(reply, noResponseError);
  const inside = errorIn(reply) ?? scan.errorAmong(reply);
  if (!inside) return;
  const { texts, tokens } = textsInResponse(reply, scan);
  if (texts.length === 0 && tokens === 0) throw problemFrom(reply, inside, noResponseError);
}

const maxSeconds = 24 * 3600;

/** Usage of a transcript: the upstream's report, otherwise its reported seconds, otherwise the text. */
export function transcriptUsage(
  body: Buffer,
  scan: ResponseScan,
  { model, upload }: Pick<RelayRequest, 'model' | 'upload'>,
): TokenCount | string {
  const text = body.toString('utf8');
  const transcript = scan.readTranscript(text);
  if (!transcript) return spokenIn(text);
  const seconds = secondsOf(transcript.seconds);
  if (seconds !== undefined) return transcriptUnits(unitsForReportedDuration(model, seconds, upload));
  const reported = tokensOf(transcript.usage);
  return reported && (reported.completion > 0 || transcript.text === '') ? reported : transcript.text;
}

/** Upper limit of plausible token counts: more than a day of speech. */
const maxTokens = 10_000_000;

function tokensOf({ promptTokens: prompt, completionTokens: completion, audioTokens }: UnverifiedUsage) {
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined;
  const audio = isCount(audioTokens) ? Math.min(Math.ceil(audioTokens), Math.ceil(prompt)) : 0;
  const parts = audio > 0 && { parts: { cached: 0, written: 0, writtenLong: 0, reasoning: 0, audio } };
  return { prompt: Math.ceil(prompt), completion: Math.ceil(completion), ...parts };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= maxTokens;

const transcriptUnits = (units: number): TokenCount => ({ prompt: 0, completion: 0, units });

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds ? seconds : undefined;
}

/** Removes the numbers and timestamps from subtitles. */
const spokenIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\d+\s*$|-->|^WEBVTT/.test(line))
    .join('\n');

/** True if a response is an event stream. Some upstreams stream although streaming was not requested. */
export const isEventStream = ({ headers }: Pick<UpstreamResponse, 'headers'>): boolean =>
  String(headers['content-type']).toLowerCase().startsWith('text/event-stream');

/** Merges the events of a stream into a non-streamed response; throws if it is incomplete. */
export function mergeEvents(body: Buffer, scan: ResponseScan): Buffer {
  const gathering = scan.openMerger();
  for (const line of body.toString('utf8').split('\n')) {
    if (!line.startsWith('data:')) continue;
    const text = line.slice('data:'.length).trim();
    if (text === scan.endMarker) gathering.end();
    const event = parseJsonObject(text);
    if (event && errorIn(event)) throw errorInSuccess(event);
    if (event) gathering.add(event);
  }
  const whole = gathering.whole();
  if (whole) return Buffer.from(JSON.stringify(whole));
  throw new UpstreamProblem(502, "The upstream's stream was interrupted: unexpected end", 'upstream_broke');
}
