import {
  AnswerGatherer,
  type ChatAnswer,
  type ChatDelta,
  RequestProblem,
  readChatRequest,
  UpstreamProblem,
} from '@headgate/dialects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitRequest } from '../fit-request.ts';
import { frameCutters } from '../frames.ts';
import type { ChatAdaptor, UpstreamRequest } from '../provider.ts';
import { usualProblem } from '../usual-problem.ts';
import { type ChatCases, type QuestionName, questions, type StreamCase, testUpstream } from './chat-cases.ts';

/** The suite every chat adaptor passes. */
export function describeChat(name: string, suite: ChatCases): void {
  describe(`${name} chat`, () => {
    describeQuestions(suite);
    describeStreams(suite);
    describeProblems(suite);
  });
}

function describeQuestions({ adaptor, cases, upstream }: ChatCases): void {
  const fitted = (question: QuestionName, isStream: boolean) =>
    fitRequest(readChatRequest({ model: 'asked-model', ...questions[question], stream: isStream }), adaptor);
  const encode = (question: QuestionName, isStream: boolean) =>
    adaptor.encode(fitted(question, isStream).request, { ...testUpstream, ...upstream, isStream });
  for (const question of Object.keys(questions) as QuestionName[]) {
    const wanted = cases[question];
    if ('refuses' in wanted) {
      test(`${question} is refused by the name of ${wanted.refuses}`, () => {
        expect(() => encode(question, false)).toThrow(RequestProblem);
        expect(() => encode(question, false)).toThrow(wanted.refuses);
      });
      continue;
    }
    test(`${question} is sent exactly so`, () => {
      expect(withParsedBody(encode(question, false))).toEqual(wanted.sent);
      expect(fitted(question, false).ignored).toEqual(wanted.ignored ?? []);
    });
    if (wanted.answer === undefined) continue;
    test(`the answer to ${question} is read without loss`, () => {
      expect(adaptor.decode?.(wanted.replied)).toEqual(wanted.answer);
    });
  }
}

const withParsedBody = (request: UpstreamRequest) => ({
  ...request,
  body: request.body === undefined ? undefined : (JSON.parse(request.body) as unknown),
});

function describeStreams({ adaptor, streams }: ChatCases): void {
  for (const [name, stream] of Object.entries(streams ?? {})) {
    if ('refuses' in stream) continue;
    test(`a stream of ${name} comes to the same, wherever it is cut`, () => {
      const bytes = Buffer.from(stream.bytes);
      expect(answerOf(adaptor, [bytes])).toEqual(stream.answer);
      const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 });
      fc.assert(
        fc.property(cuts, (places) => {
          expect(answerOf(adaptor, cutAt(bytes, places))).toEqual(stream.answer);
        }),
        { numRuns: 60 },
      );
    });
    test(`a stream of ${name} that breaks off never looks complete`, () => expectBrokenOff(adaptor, stream));
  }
}

/** Where the stream was cut before its reason to finish, there is no answer; half an event may also be a problem. */
function expectBrokenOff(adaptor: ChatAdaptor, { bytes }: StreamCase): void {
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
    return deltasOf(adaptor, [bytes]).deltas;
  } catch (error) {
    if (error instanceof UpstreamProblem) return [];
    throw error;
  }
}

function describeProblems({ adaptor, problems, problemInside, emptyAnswer, answerWithoutUsage }: ChatCases): void {
  for (const [status, { body, message, status: shown = Number(status) }] of Object.entries(problems)) {
    test(`an answer of ${status} is told as ${shown}`, () => {
      const problem = adaptor.readProblem?.(Number(status), body) ?? usualProblem(Number(status), body);
      expect({ status: problem.status, message: problem.message }).toEqual({ status: shown, message });
    });
  }
  if (problemInside) {
    test('an error inside a 200 is one', () => {
      const problem = thrownBy(() => adaptor.decode?.(problemInside.body));
      expect({ status: problem.status, message: problem.message }).toEqual({
        status: problemInside.status,
        message: problemInside.message,
      });
    });
  }
  if (!adaptor.decode) return;
  test.each([emptyAnswer, null, 'text', [], {}])('an answer without choices is a problem: %j', (body) => {
    expect(thrownBy(() => adaptor.decode?.(body)).status).toBeGreaterThanOrEqual(400);
  });
  if (answerWithoutUsage !== undefined) {
    test('an answer without usage says so', () => {
      expect(adaptor.decode?.(answerWithoutUsage).usage).toBeUndefined();
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

export function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

/** Reads a stream's bytes to the answer it comes to; undefined when it did not come to its end. */
export function answerOf(adaptor: ChatAdaptor, chunks: readonly Buffer[]): ChatAnswer | undefined {
  const { deltas, decoder } = deltasOf(adaptor, chunks);
  return gather(deltas, decoder.usage);
}

function deltasOf(adaptor: ChatAdaptor, chunks: readonly Buffer[]) {
  if (!adaptor.stream) throw new Error('this adaptor has no stream');
  const decoder = adaptor.stream.open();
  const cutter = frameCutters[adaptor.stream.framing]();
  const frames = [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.finish()];
  const deltas = frames.filter(({ data }) => data !== '[DONE]').flatMap((frame) => [...decoder.push(frame)]);
  return { deltas, decoder };
}

function gather(deltas: readonly ChatDelta[], usage?: ChatAnswer['usage']): ChatAnswer | undefined {
  const gatherer = new AnswerGatherer();
  for (const delta of deltas) gatherer.add(delta);
  return gatherer.answer(usage);
}
