import { RequestProblem } from '@headgate/dialects';
import { providers } from '@headgate/providers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { Credentials } from '../upstream/credentials.ts';
import { maxUpstreamBodySize } from '../upstream/upstream-view.ts';
import { FetchedImages } from './fetched-images.ts';
import { prepareRequest } from './prepare-request.ts';

// For one request the gateway builds at most `maxUpstreamBodySize` bytes: twice the bytes of the request and its
// images, which together are within the body limit, plus 16 MB.

const seed = 64;
const runs = 300;
const largestBody = 512 * 1024;
const kilobyte = 1024;

const types = Object.entries(providers).flatMap(([type, provider]) => (provider.chat ? [Number(type)] : []));

const channelOf = (type: number): RelayChannel => ({
  id: 1,
  priority: 0,
  weight: 1,
  type,
  name: 'a channel',
  key: 'one|two|three',
  baseUrl: 'https://upstream.test',
  other: '',
  groups: ['default'],
  config: { region: 'us-east-1', ak: 'AK', sk: 'SK' },
  modelMapping: new Map(),
  systemPrompt: '',
});

/** Size of the body built for one channel; undefined if the request is rejected. */
async function builtBytes(type: number, body: object, imageBytes: number): Promise<number | undefined> {
  const bytes = Buffer.from(JSON.stringify(body));
  if (bytes.length > largestBody) return undefined;
  let room = largestBody - bytes.length;
  const take = (more: number) => {
    room -= more;
    if (room < 0) throw new RelayError(413, 'no room');
  };
  const image = async (_: string, count: (more: number) => void = () => undefined) => {
    count(imageBytes);
    return { mediaType: 'image/png', bytes: Buffer.alloc(imageBytes, 7) };
  };
  let covered = 0;
  const cover = (more: number) => {
    covered = more;
  };
  const images = new FetchedImages({ image }, { take, cover });
  try {
    const request = readRequest(endpointKinds.chat, bytes);
    const { request: sent } = await prepareRequest(request, channelOf(type), {
      credentials,
      images,
      memory: { cover },
      unpricedFieldsAllowed: [],
    });
    const built = Buffer.byteLength(sent.body ?? '');
    // A translated body counts towards memory; a body that is passed through was counted on arrival.
    if (covered !== built) expect(built).toBeLessThan(bytes.length + kilobyte);
    return built;
  } catch (error) {
    if (error instanceof RelayError || error instanceof RequestProblem || isProblem(error)) return undefined;
    throw error;
  }
}

const credentials = Object.create(Credentials.prototype, { of: { value: async () => 'credential' } }) as Credentials;
const isProblem = (error: unknown) => error instanceof Error && error.name === 'UpstreamProblem';

/** A short string that becomes long when repeated many times. */
const filler = fc
  .tuple(fc.constantFrom('a', '"', '\\', '\u0001', '水'), fc.integer({ min: 1, max: 24 * kilobyte }))
  .map(([character, length]) => character.repeat(length));

const imagePart = fc.constantFrom('a', 'b').map((path) => ({
  type: 'image_url',
  image_url: { url: `https://images.test/${path}` },
}));
const dataPart = filler.map((text) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${Buffer.from(text).toString('base64')}` },
}));
const filePart = filler.map((text) => ({
  type: 'file',
  file: { filename: 'a.txt', file_data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` },
}));
const soundPart = filler.map((text) => ({ type: 'input_audio', input_audio: { data: text, format: 'wav' } }));
const textPart = filler.map((text) => ({ type: 'text', text }));

const repeated = <T>(part: fc.Arbitrary<T>, max: number) =>
  fc.tuple(part, fc.integer({ min: 1, max: max })).map(([value, count]) => Array.from({ length: count }, () => value));

const user = fc
  .oneof(
    repeated(imagePart, 2000),
    repeated(imagePart, 4),
    repeated(fc.oneof(dataPart, filePart, soundPart, textPart), 4),
  )
  .map((content) => [{ role: 'user', content }]);

/** One call with many results. */
const step = fc.tuple(filler, filler, fc.integer({ min: 1, max: 2000 })).map(([name, word, results]) => [
  {
    role: 'assistant',
    content: 'x',
    tool_calls: [{ id: 'call', type: 'function', function: { name, arguments: JSON.stringify({ word }) } }],
  },
  ...Array.from({ length: results }, () => ({ role: 'tool', tool_call_id: 'call', content: '{}' })),
]);

const system = filler.map((content) => [{ role: 'system', content }]);

const question = fc.record({
  model: fc.constant('a-model'),
  messages: fc.array(fc.oneof(user, step, system), { minLength: 1, maxLength: 3 }).map((turns) => turns.flat()),
  tools: filler.map((name) => [
    { type: 'function', function: { name: name.slice(0, 60), description: name, parameters: { type: 'object' } } },
  ]),
});

it('[A64.6] builds no upstream body above the documented multiple of the body limit, on any channel type', async () => {
  const built: number[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      question,
      fc.integer({ min: 1, max: 256 * kilobyte }),
      async (type, body, imageBytes) => {
        const bytes = await builtBytes(type, body, imageBytes);
        if (bytes === undefined) return;
        built.push(bytes);
        expect(bytes).toBeLessThanOrEqual(maxUpstreamBodySize(largestBody));
      },
    ),
    { seed, numRuns: runs },
  );
  // A fuzz test in which everything is rejected proves nothing.
  expect(built.length).toBeGreaterThan(runs / 10);
});

it.each([
  ['Gemini', 24],
  ['Ollama', 30],
  ['Cohere', 35],
])('[A64.6] rejects a small request that references one image thousands of times on %s', async (_, type) => {
  const url = 'https://images.test/a';
  const content = Array.from({ length: 2000 }, () => ({ type: 'image_url', image_url: { url } }));
  expect(await builtBytes(type, { model: 'm', messages: [{ role: 'user', content }] }, 256 * kilobyte)).toBeUndefined();
  const few = content.slice(0, 2);
  expect(
    await builtBytes(type, { model: 'm', messages: [{ role: 'user', content: few }] }, 64 * kilobyte),
  ).toBeGreaterThan(128 * kilobyte);
});
