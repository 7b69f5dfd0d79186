import {
  chatResponse,
  chunk,
  completion,
  done,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
  weatherCall,
  weatherCallChunks,
} from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, { retries: 1 });
const createRetrying = useRelayFixtures(undefined, {
  retries: 1,
  ports: { retriesEmptyResponses: () => true },
});
const createLimited = useRelayFixtures(undefined, {
  retries: 1,
  ports: { retriesEmptyResponses: () => true, countFreeResponse: () => false },
});

const thoughtUsage = {
  ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const emptyStream = stream([roleChunk, chunk({ content: '' }), stop, usageEvent, done]);

const empty: readonly [name: string, isStream: boolean, answer: UpstreamHandler][] = [
  ['a message without content', false, reply(chatResponse({ content: null }))],
  ['a message with an empty text', false, reply(chatResponse({ content: '', tool_calls: [] }))],
  ['a stream without content', true, emptyStream],
  ['a stream of a usage report only', true, stream([roleChunk, usageEvent, stop, done])],
];

const filled: readonly [name: string, isStream: boolean, answer: UpstreamHandler][] = [
  ['text', false, completion()],
  ['a tool call', false, reply(chatResponse(weatherCall, 'tool_calls'))],
  ['a refusal', false, reply(chatResponse({ content: null, refusal: 'No.' }))],
  ['reasoning', false, reply(chatResponse({ content: '', reasoning_content: 'Hm' }))],
  ['hidden reasoning', false, reply({ ...chatResponse({ content: '' }), usage: thoughtUsage })],
  [
    'an image',
    false,
    reply(chatResponse({ content: null, images: [{ image_url: { url: 'data:image/png;base64,QQ' } }] })),
  ],
  ['audio', false, reply(chatResponse({ content: null, audio: { id: 'a', data: 'QQ==', transcript: '' } }))],
  ['streamed text', true, stream([roleChunk, textChunk('Hi'), stop, usageEvent, done])],
  ['a streamed tool call', true, stream([roleChunk, ...weatherCallChunks, stop, usageEvent, done])],
  ['a streamed refusal', true, stream([roleChunk, chunk({ refusal: 'No.' }), stop, usageEvent, done])],
  ['streamed reasoning', true, stream([roleChunk, chunk({ reasoning_content: 'Hm' }), stop, usageEvent, done])],
  [
    'hidden reasoning of a stream',
    true,
    stream([roleChunk, stop, `data: ${JSON.stringify({ choices: [], usage: thoughtUsage })}\n\n`, done]),
  ],
];

const respond = (isStream: boolean) =>
  isStream
    ? stream([roleChunk, textChunk('Second'), stop, usageEvent, done])
    : reply(chatResponse({ content: 'Second' }));

describe('empty responses with the option on', () => {
  it.each(empty)('retries %s on the next channel and charges only the second response', async (_, isStream, first) => {
    const fixture = await createRetrying({ upstreams: [first, respond(isStream)] });
    const response = await fixture.chat({ stream: isStream });
    expect(await response.text()).toContain('Second');
    const { outcomes, drift, user } = await fixture.ledger();
    expect([outcomes.length, drift, user.held]).toEqual([1, 0, 0]);
    expect(outcomes[0]?.channel).toBe(fixture.channels[1]?.id);
    expect(fixture.blamed).toEqual([]);
  });

  it.each(filled)('delivers and charges a response with %s', async (_, isStream, first) => {
    const fixture = await createRetrying({ upstreams: [first, respond(isStream)] });
    const response = await fixture.chat({ stream: isStream });
    expect([response.status, (await response.text()).includes('Second')]).toEqual([200, false]);
    const { outcomes, drift } = await fixture.ledger();
    expect([outcomes[0]?.channel, drift]).toEqual([fixture.channels[0]?.id, 0]);
    expect(outcomes[0]?.quota).toBeGreaterThan(0);
  });

  it.each(empty)('returns 502 and charges nothing when every channel returns %s', async (_, isStream, first) => {
    const fixture = await createRetrying({ upstreams: [first, first] });
    const response = await fixture.chat({ stream: isStream });
    expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'empty_response' } }]);
    const { user, drift } = await fixture.ledger();
    expect([user.usedQuota, user.held, drift]).toEqual([0, 0, 0]);
  });

  it.each(empty)(
    '[A68.14] delivers and charges %s if the caller has had too many empty responses',
    async (_, isStream, first) => {
      const fixture = await createLimited({ upstreams: [first, respond(isStream)] });
      const response = await fixture.chat({ stream: isStream });
      const text = await response.text();
      expect([response.status, text.includes('Second'), text.includes('choices')]).toEqual([200, false, true]);
      const { outcomes, drift, user } = await fixture.ledger();
      expect([outcomes[0]?.channel, drift, user.held]).toEqual([fixture.channels[0]?.id, 0, 0]);
      expect(outcomes[0]?.quota).toBeGreaterThan(0);
    },
  );

  it('retries empty responses in other dialects too', async () => {
    const fixture = await createRetrying({ upstreams: [reply(chatResponse({ content: '' })), respond(false)] });
    const body = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
    const response = await fixture.post(endpointKinds.messages, body);
    expect(await response.text()).toContain('Second');
  });

  it('starts a stream after 64 KiB without content', async () => {
    const long = Array.from({ length: 700 }, () => chunk({ content: '' }));
    const fixture = await createRetrying({ upstreams: [stream([...long, stop, usageEvent, done]), respond(true)] });
    const response = await fixture.chat({ stream: true });
    expect([response.status, (await response.text()).includes('Second')]).toEqual([200, false]);
    expect((await fixture.ledger()).drift).toBe(0);
  });
});

it.each(empty)('delivers and charges %s with the option off', async (_, isStream, first) => {
  const fixture = await createFixture({ upstreams: [first, respond(isStream)] });
  const response = await fixture.chat({ stream: isStream });
  expect([response.status, (await response.text()).includes('Second')]).toEqual([200, false]);
  const { outcomes, drift } = await fixture.ledger();
  expect([outcomes[0]?.channel, drift]).toEqual([fixture.channels[0]?.id, 0]);
});
