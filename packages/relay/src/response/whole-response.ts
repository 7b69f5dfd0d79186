import { imageTokenUsageOf, isObject, parseJson, UpstreamProblem } from '@headgate/dialects';
import { type ChatAdaptor, type JsonAdaptor, withRequestedEncoding } from '@headgate/providers';
import { createKeyLeakFilter } from '../guards/key-leak-filter.ts';
import { readUsage } from '../metering/read-usage.ts';
import { sleepUnlessDisconnected } from '../ports/client-sink.ts';
import { isChatAdaptor } from '../prepare/prepare-request.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import type { ResponseTexts } from '../tokens/response-texts.ts';
import { type BufferShare, bufferWholeResponse } from '../upstream/response-buffer.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import { collectStream, isEventStream } from './collect-stream.ts';
import type { LongResponse } from './deliver-long-response.ts';
import { readPassedResponse } from './pass-through-response.ts';
import {
  decodeOrThrow,
  jsonMediaType,
  noResponseTexts,
  type ResponseReading,
  rerankFields,
  unreadableResponseError,
  type WholeResponse,
  type WrittenResponse,
  writeResponse,
} from './written-response.ts';

/**
 * Reads a response to its end in any wire format and throws an error inside a 200. For a response that is too long to
 * buffer and needs no translation, returns the part received so far.
 */
export async function readWholeResponse(
  reading: ResponseReading,
  response: UpstreamResponse,
): Promise<WholeResponse | LongResponse> {
  try {
    const reply = await read(reading, response);
    if ('begun' in reply) return reply;
    const guard = createKeyLeakFilter(reading.prepared.channel);
    const finished = ({ body, response }: WrittenResponse): WrittenResponse => ({
      body: guard.mask(inClientDialect(reading.request, body)),
      response: response && guard.mask(response),
    });
    const { withUsage } = reply;
    return {
      ...reply,
      ...finished(reply),
      responseTexts: () => countable(reply),
      ...(withUsage && { withUsage: (counted) => finished(withUsage(counted)) }),
    };
  } catch (error) {
    // JSON.parse accepts any nesting depth, but JSON.stringify does not.
    throw error instanceof RangeError ? unreadableResponseError() : error;
  }
}

/** Texts of the response, or its length if it is nested too deeply to be read. */
function countable({ responseTexts, body }: WholeResponse): ResponseTexts {
  try {
    return responseTexts();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { texts: [], tokens: estimateTokens(body.length) };
  }
}

/** Converts the body to the client's dialect at endpoints that do not use OpenAI's. */
function inClientDialect({ kind: { translation } }: RelayRequest, body: Buffer): Buffer {
  if (!translation) return body;
  const reply = parseJson(body.toString('utf8'));
  return Buffer.from(JSON.stringify(translation.write(isObject(reply) ? reply : {})));
}

function read(reading: ResponseReading, response: UpstreamResponse): Promise<WholeResponse | LongResponse> {
  const { wire } = reading.prepared;
  if (wire.kind === 'pass') return readPassedResponse(reading, wire, response);
  return isChatAdaptor(wire) ? convertedChat(reading, wire, response) : convertedJson(reading, wire, response);
}

async function convertedChat(
  reading: ResponseReading,
  wire: ChatAdaptor,
  response: UpstreamResponse,
): Promise<WholeResponse> {
  const { share, begun } = reading;
  const comesInPieces = !begun && wire.stream?.framing === 'sse' && isEventStream(response);
  const result =
    wire.decode && !comesInPieces
      ? decodeOrThrow(wire.decode, await jsonIn(response, share, begun))
      : await collectStream(reading, wire, response);
  const reply = writeResponse(reading, result);
  return wire.hasFreeOutput ? { ...reply, responseTexts: noResponseTexts, hasFreeOutput: true } : reply;
}

async function convertedJson(
  reading: ResponseReading,
  wire: JsonAdaptor,
  response: UpstreamResponse,
): Promise<WholeResponse> {
  const { view, channel } = reading.prepared;
  const requested = reading.request.body;
  const decode = (body: unknown) => decodeOrThrow(() => wire.decode(body, view, requested), body);
  let result = decode(await jsonIn(response, reading.share));
  for (let polls = 0; 'next' in result; polls += 1) {
    if (polls >= maxPolls) throw new UpstreamProblem(504, 'The upstream task timed out');
    await sleepUnlessDisconnected(result.afterMs, reading.signal);
    const again = await reading.upstreams.open({ ...result.next, body: result.next.body }, reading.signal, channel);
    result = decode(await jsonIn(again, reading.share));
  }
  const { reply, usage } = result;
  const body = Buffer.from(JSON.stringify(withRequestedEncoding(reply, requested)));
  if (reading.request.kind.billedBy === 'ranking')
    return { body, contentType: jsonMediaType, ...rerankFields(reply, reading) };
  const drawn = imageTokenUsageOf(usage);
  return {
    body,
    contentType: jsonMediaType,
    reported: readUsage(usage, reading.request),
    drawn,
    responseTexts: noResponseTexts,
  };
}

const maxPolls = 120;

const jsonIn = async (response: UpstreamResponse, share: BufferShare, begun?: Buffer) =>
  parseJson((await bufferWholeResponse(response, share, begun)).toString('utf8'));
