import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { endpointKinds, responseScanOf } from '../request/endpoint-kinds.ts';
import { SseScanner } from './sse-scanner.ts';

const scan = responseScanOf(endpointKinds.chat);

/** Providers with OpenAI's dialect. */
const speakers = ['alibaba', 'deepseek', 'groq', 'mistral', 'moonshot', 'openai', 'openrouter', 'xai', 'zhipu'];

interface Chunk {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown };
  readonly choices?: readonly { readonly finish_reason?: unknown; readonly usage?: unknown }[];
}

const streams = speakers.flatMap(streamsOf);

describe('recorded streams', () => {
  test('recorded streams cover every upstream', () => {
    const speakersHeard = new Set(streams.map(({ name }) => name.replace(/\/.*/, '')));
    expect([...speakersHeard]).toEqual(speakers);
  });

  test.each(streams)('$name passes through unchanged, and its usage and end are detected', ({ text }) => {
    const bytes = Buffer.from(text);
    const scanner = new SseScanner({ scan });
    const passed = [...piecesOf(bytes).map((piece) => scanner.push(piece)), scanner.finish()];
    // The relay writes the end marker itself, after the charge is stored.
    const [response] = text.split(/^data: ?\[DONE\]/m);
    expect(Buffer.concat(passed).toString('utf8').trimEnd()).toBe(response?.trimEnd());

    const chunks = chunksIn(text);
    const reported = chunks.flatMap(
      ({ usage, x_groq, choices }) => usage ?? x_groq?.usage ?? choices?.[0]?.usage ?? [],
    );
    // The service tier is a field of the chunk, not of its usage.
    expect({ ...scanner.usage, serviceTier: undefined }).toEqual({
      ...scan.readUsage(reported.at(-1)),
      serviceTier: undefined,
    });
    expect(scanner.hasFinishReason).toBe(chunks.some(({ choices }) => choices?.some((choice) => choice.finish_reason)));
    expect(scanner.events).toBe(chunks.length);
    expect(scanner.problem).toBeUndefined();
  });
});

/** Odd-sized chunks that split lines and characters. */
const piecesOf = (bytes: Buffer) =>
  Array.from({ length: Math.ceil(bytes.length / 97) }, (_, index) => bytes.subarray(index * 97, (index + 1) * 97));

const chunksIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^data: ?\{/.test(line))
    .map((line) => JSON.parse(line.slice(5)) as Chunk);

function streamsOf(provider: string): { name: string; text: string }[] {
  return recordingsOf(provider)
    .filter(({ status }) => status === 200)
    .map(({ name, bytes }) => ({ name: `${provider}/${name}`, text: bytes.toString('utf8') }))
    .filter(({ text }) => /^data: ?\{[^\n]*"object": ?"chat\.completion\.chunk"/m.test(text));
}
