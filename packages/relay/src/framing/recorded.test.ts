import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SseScanner } from './sse-scanner.ts';

// Answers of real upstreams that speak OpenAI's dialect, kept beside the repository because they are not ours.
const home = join(import.meta.dirname, '../../../../../shared/data/fixtures');
const speakers = ['alibaba', 'deepseek', 'groq', 'mistral', 'moonshot', 'openai', 'openrouter', 'xai', 'zhipu'];

interface Chunk {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown };
  readonly choices?: readonly { readonly finish_reason?: unknown; readonly usage?: unknown }[];
}

const streams = speakers.flatMap(streamsOf);
if (streams.length === 0) process.stdout.write('No recorded streams beside the repository: their tests are skipped\n');

describe.skipIf(streams.length === 0)('recorded streams', () => {
  test.each(streams)('$name passes as it is, and its usage and end are seen', ({ text }) => {
    const bytes = Buffer.from(text);
    const scanner = new SseScanner();
    const passed = [...piecesOf(bytes).map((piece) => scanner.push(piece)), scanner.finish()];
    // The last mark is the relay's own to say, once the answer is charged.
    const [answer] = text.split(/^data: ?\[DONE\]/m);
    expect(Buffer.concat(passed).toString('utf8').trimEnd()).toBe(answer?.trimEnd());

    const chunks = chunksIn(text);
    const told = chunks.flatMap(({ usage, x_groq, choices }) => usage ?? x_groq?.usage ?? choices?.[0]?.usage ?? []);
    expect(scanner.usage).toEqual(told.at(-1));
    expect(scanner.hasFinishReason).toBe(chunks.some(({ choices }) => choices?.some((choice) => choice.finish_reason)));
    expect(scanner.events).toBe(chunks.length);
    expect(scanner.problem).toBeUndefined();
  });
});

/** Odd pieces, so that lines and letters are cut. */
const piecesOf = (bytes: Buffer) =>
  Array.from({ length: Math.ceil(bytes.length / 97) }, (_, index) => bytes.subarray(index * 97, (index + 1) * 97));

const chunksIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^data: ?\{/.test(line))
    .map((line) => JSON.parse(line.slice(5)) as Chunk);

function streamsOf(provider: string): { name: string; text: string }[] {
  const folder = join(home, provider);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .sort()
    .map((name) => ({ name: `${provider}/${name}`, text: streamIn(name, readFileSync(join(folder, name), 'utf8')) }))
    .filter(({ text }) => /^data: ?\{[^\n]*"object": ?"chat\.completion\.chunk"/m.test(text));
}

function streamIn(name: string, text: string): string {
  if (name.endsWith('.chunks.txt')) return text.replace(/^(?=.)/gm, 'data: ').replaceAll('\n', '\n\n');
  if (!name.startsWith('recorded')) return text;
  const { response } = JSON.parse(text) as { response: { status: number; body?: string; body_base64?: string } };
  if (response.status !== 200) return '';
  return response.body ?? Buffer.from(response.body_base64 ?? '', 'base64').toString('utf8');
}
