import { recordResponse, reply, requestBody, type Wire, wires } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { type RelayFixture, useRelayFixtures } from '../testing/relay-fixture.ts';
import { wireChannel } from '../testing/wire-channel.ts';

/** Set `ODD_ANSWERS_SEED=…` to use another seed. */
const seed = Number(process.env['ODD_ANSWERS_SEED'] ?? 20_240_607);
const rounds = Number(process.env['ODD_ANSWERS_ROUNDS'] ?? 10);

const createFixture = useRelayFixtures();

type Random = (below: number) => number;

function randomNumbers(start: number): Random {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  1e21,
  14,
  429,
  700,
  '',
  'x',
  '-5',
  '14',
  '\u0000',
  'stop',
  '[DONE]',
  '{"a":',
  [],
  [null],
  [[]],
  ['x'],
  [1],
  [{}],
  {},
  { x: 1 },
  { type: null },
  { toString: 1 },
  { length: -1 },
  JSON.parse('{"__proto__":{"choices":1}}'),
];

/** Copy of the value, changed in one place. */
function changed(value: unknown, random: Random): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || random(5) === 0) return odd[random(odd.length)];
  const key = keys[random(keys.length)] ?? '';
  const inside = (value as Readonly<Record<string, unknown>>)[key];
  const change = random(12) === 0 ? undefined : changed(inside, random);
  return Array.isArray(value) ? value.with(Number(key), change) : { ...(value as object), [key]: change };
}

/** JSON at the start of a line or after `data:`. */
const jsonLine = /^((?:data:)?\s*)(\{.*|\[(?!DONE).*)$/;

function withOddLines(text: string, random: Random): Buffer {
  const lines = text.split('\n');
  const positions = lines.flatMap((line, index) => (jsonLine.test(line) ? [index] : []));
  for (let left = 1 + random(2); left > 0 && positions.length > 0; left -= 1) {
    const position = positions[random(positions.length)] ?? 0;
    const [, before = '', json] = jsonLine.exec(lines[position] ?? '') ?? [];
    if (json !== undefined) lines[position] = before + JSON.stringify(changed(JSON.parse(json), random));
  }
  return Buffer.from(lines.join('\n'));
}

function withOddBytes(bytes: Buffer, random: Random): Buffer {
  if (random(2) === 0) return bytes.subarray(0, random(bytes.length));
  const copy = Buffer.from(bytes);
  for (let left = 1 + random(4); left > 0; left -= 1) copy[random(copy.length)] = random(256);
  return copy;
}

function spoilt(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text).equals(bytes) && text.split('\n').some((line) => jsonLine.test(line));
  return isText && random(5) > 0 ? withOddLines(text, random) : withOddBytes(bytes, random);
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

type Usage = Readonly<Record<'prompt_tokens' | 'completion_tokens', unknown>>;

/** Usage objects in a response body or in its events. */
function usagesIn(text: string): readonly Usage[] {
  const detail = text.startsWith('data: ')
    ? text.split('\n').flatMap((line) => (/^data: \{/.test(line) ? [line.slice('data: '.length)] : []))
    : [text];
  return detail.flatMap((json) => (JSON.parse(json) as { usage?: Usage | null }).usage ?? []);
}

/** True if responses of this wire are translated; otherwise the upstream's usage passes unchanged. */
const converts = ({ name }: Wire) =>
  !name.includes('compatible') && /Anthropic|Bedrock|version 1$|Gemini$|Claude$|Ollama|Coze|DeepL|Cohere/.test(name);

/** One round: the upstream's response is corrupted, and the client must get a valid response or a valid error. */
async function expectHandled(fixture: RelayFixture, { wire, isStream }: Spoiling, random: Random): Promise<void> {
  const manners = wire.hasTools ? [false, true] : [false];
  const responses = [...manners.map((isCall) => wire.respond({ isStream, isCall })), wire.reject('no')];
  const { status, contentType, bytes } = await recordResponse(responses[random(responses.length)] ?? wire.reject('no'));
  const sent = spoilt(bytes, random);
  const [upstream] = fixture.upstreams;
  if (!upstream) throw new Error('there is no upstream');
  upstream.handler = (responding, request) => {
    const exchanged = wire.exchange?.(request, upstream.url);
    if (exchanged) return exchanged(responding, request);
    responding.writeHead(status, { 'content-type': contentType }).end(sent);
  };
  const body = requestBody(wire.model, { isStream, hasTools: wire.hasTools });
  const response = await fixture.post(endpointKinds.chat, body);
  const text = await response.text();
  const detail = `${response.status} ${text.slice(0, 500)} for ${status} ${sent.toString('utf8').slice(0, 1000)}`;
  expect(response.status, detail).not.toBe(500);
  expect(text, detail).not.toMatch(/Internal error|Internal error while delivering/);
  if (response.status !== 200) expect(JSON.parse(text), detail).toMatchObject({ error: { type: expect.any(String) } });
  else if (converts(wire))
    for (const usage of usagesIn(text))
      expect([usage.prompt_tokens, usage.completion_tokens].every(isCount), detail).toBe(true);
}

interface Spoiling {
  readonly wire: Wire;
  readonly isStream: boolean;
}

const spoilings: readonly Spoiling[] = wires
  .filter(({ isSocket }) => !isSocket)
  .flatMap((wire) => [false, true].map((isStream) => ({ wire, isStream })));

describe(`[A25.11] corrupted upstream responses, seed ${seed}`, () => {
  test.each(spoilings)('$wire.name returns a valid response or error, streamed: $isStream', async (spoiling) => {
    const fixture = await createFixture({ upstreams: [reply({})], channel: (url) => wireChannel(spoiling.wire, url) });
    const random = randomNumbers(seed + spoiling.wire.type * 2 + Number(spoiling.isStream));
    for (let round = 0; round < rounds; round += 1) await expectHandled(fixture, spoiling, random);
    const { outcomes, drift } = await fixture.ledger();
    expect(outcomes).toHaveLength(rounds);
    expect(drift).toBe(0);
    for (const { quota, promptTokens, completionTokens } of outcomes)
      expect([quota, promptTokens, completionTokens].every(isCount)).toBe(true);
  });
});
