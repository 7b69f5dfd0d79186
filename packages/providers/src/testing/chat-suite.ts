import {
  type ChatDelta,
  type ChatResponse,
  DeltaMerger,
  RequestProblem,
  readChatRequest,
  UpstreamProblem,
} from '@headgate/dialects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultProblem } from '../default-problem.ts';
import { fitRequest } from '../fit-request.ts';
import { frameSplitters } from '../frames.ts';
import type { ChatAdaptor, UpstreamRequest } from '../provider.ts';
import { type ChatCases, type SampleRequestName, type StreamCase, sampleRequests, testUpstream } from './chat-cases.ts';

/** Test suite for every chat adaptor. */
export function describeChatAdaptor(name: string, suite: ChatCases): void {
  describe(`${name} chat`, () => {
    describeQuestions(suite);
    describeStreams(suite);
    describeProblems(suite);
  });
}

function describeQuestions({ adaptor, cases, upstream }: ChatCases): void {
  const fitted = (question: SampleRequestName, isStream: boolean) =>
    fitRequest(readChatRequest({ model: 'asked-model', ...sampleRequests[question], stream: isStream }), adaptor);
  const encode = (question: SampleRequestName, isStream: boolean) =>
    adaptor.encode(fitted(question, isStream).request, { ...testUpstream, ...upstream, isStream });
  for (const question of Object.keys(sampleRequests) as SampleRequestName[]) {
    const wanted = cases[question];
    if ('rejectedField' in wanted) {
      test(`rejects ${question} and names ${wanted.rejectedField}`, () => {
        expect(() => encode(question, false)).toThrow(RequestProblem);
        expect(() => encode(question, false)).toThrow(wanted.rejectedField);
      });
      continue;
    }
    test(`sends ${question} exactly as expected`, () => {
      expect(withParsedBody(encode(question, false))).toEqual(wanted.sent);
      expect(fitted(question, false).ignored).toEqual(wanted.ignored ?? []);
    });
    if (wanted.response === undefined) continue;
    test(`reads the response to ${question} without loss`, () => {
      expect(adaptor.decode?.(wanted.replied)).toEqual(wanted.response);
    });
  }
}

const withParsedBody = (request: UpstreamRequest) => ({
  ...request,
  body: request.body === undefined ? undefined : (JSON.parse(request.body) as unknown),
});

function describeStreams({ adaptor, streams }: ChatCases): void {
  for (const [name, stream] of Object.entries(streams ?? {})) {
    if ('rejectedField' in stream) continue;
    test(`reads a stream of ${name} to the same result, regardless of where it is split`, () => {
      const bytes = Buffer.from(stream.bytes);
      expect(readStreamedResponse(adaptor, [bytes])).toEqual(stream.response);
      const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 });
      fc.assert(
        fc.property(cuts, (positions) => {
          expect(readStreamedResponse(adaptor, splitAt(bytes, positions))).toEqual(stream.response);
        }),
        { numRuns: 60 },
      );
    });
    test(`never treats an aborted stream of ${name} as complete`, () => expectIncomplete(adaptor, stream));
  }
}

/** A stream that ends before its finish reason has no response; an incomplete last event may also be an error. */
function expectIncomplete(adaptor: ChatAdaptor, { bytes }: StreamCase): void {
  const whole = Buffer.from(bytes);
  for (const part of [0.1, 0.3, 0.5, 0.7]) {
    const deltas = deltasOrProblem(adaptor, whole.subarray(0, Math.floor(whole.length * part)));
    const hasFinish = deltas.some(({ finishReason }) => finishReason !== undefined);
    expect(gather(deltas) !== undefined, `cut at ${part}`).toBe(hasFinish);
  }
  expect(gather(deltasOrProblem(adaptor, whole.subarray(0, Math.floor(whole.length / 4))))).toBeUndefined();
}

function deltasOrProblem(adaptor: ChatAdaptor, bytes: Buffer): readonly ChatDelta[] {
  try {
    return toDeltas(adaptor, [bytes]).deltas;
  } catch (error) {
    if (error instanceof UpstreamProblem) return [];
    throw error;
  }
}

function describeProblems({ adaptor, problems, errorInSuccess, emptyResponse, responseWithoutUsage }: ChatCases): void {
  for (const [status, { body, message, status: shown = Number(status) }] of Object.entries(problems)) {
    test(`maps a ${status} response to ${shown}`, () => {
      const problem = adaptor.readProblem?.(Number(status), body) ?? defaultProblem(Number(status), body);
      expect({ status: problem.status, message: problem.message }).toEqual({ status: shown, message });
    });
  }
  if (errorInSuccess) {
    test('reads an error inside a 200', () => {
      const problem = thrownBy(() => adaptor.decode?.(errorInSuccess.body));
      expect({ status: problem.status, message: problem.message }).toEqual({
        status: errorInSuccess.status,
        message: errorInSuccess.message,
      });
    });
  }
  if (!adaptor.decode) return;
  test.each([emptyResponse, null, 'text', [], {}])('fails on a response without choices: %j', (body) => {
    expect(thrownBy(() => adaptor.decode?.(body)).status).toBeGreaterThanOrEqual(400);
  });
  if (responseWithoutUsage !== undefined) {
    test('returns undefined usage if none is reported', () => {
      expect(adaptor.decode?.(responseWithoutUsage).usage).toBeUndefined();
    });
  }
}

function thrownBy(act: () => unknown): UpstreamProblem {
  try {
    act();
  } catch (error) {
    if (error instanceof UpstreamProblem) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export function splitAt(bytes: Buffer, positions: readonly number[]): readonly Buffer[] {
  const edges = [0, ...positions.toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

/** Reads a stream's bytes to a response; undefined when the stream is incomplete. */
export function readStreamedResponse(adaptor: ChatAdaptor, chunks: readonly Buffer[]): ChatResponse | undefined {
  const { deltas, decoder } = toDeltas(adaptor, chunks);
  return gather(deltas, decoder.usage);
}

function toDeltas(adaptor: ChatAdaptor, chunks: readonly Buffer[]) {
  if (!adaptor.stream) throw new Error('this adaptor has no stream');
  const decoder = adaptor.stream.open();
  const cutter = frameSplitters[adaptor.stream.framing]();
  const frames = [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.finish()];
  const deltas = frames.filter(({ data }) => data !== '[DONE]').flatMap((frame) => [...decoder.push(frame)]);
  return { deltas, decoder };
}

function gather(deltas: readonly ChatDelta[], usage?: ChatResponse['usage']): ChatResponse | undefined {
  const gatherer = new DeltaMerger();
  for (const delta of deltas) gatherer.add(delta);
  return gatherer.response(usage);
}
