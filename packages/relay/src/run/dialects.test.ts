import { type ConversationName, isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import {
  nativeResponse,
  recordResponse,
  responseText,
  type UpstreamHandler,
  type Wire,
  wires,
} from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { type RelayFixture, useRelayFixtures } from '../testing/relay-fixture.ts';
import { wireChannel } from '../testing/wire-channel.ts';

const createFixture = useRelayFixtures({ connectMs: 2000, firstByteMs: 5000, idleMs: 5000 });

/** How a client of a dialect sends requests, and where it finds text and error messages. */
interface Speaker {
  readonly kind: ConversationName;
  readonly body: JsonObject;
  textIn(response: JsonObject): string;
  pieceIn(event: JsonObject): string;
  /** End marker of a stream. */
  readonly end: string;
  readonly errorShape: (message: string) => object;
}

const textsOf = (parts: readonly unknown[]) => parts.map((part) => textAt(part, 'text')).join('');
const partsOf = (response: JsonObject) => listAt(objectAt(listAt(response, 'candidates')[0], 'content'), 'parts');
const messages = [{ role: 'user', content: 'hi' }];
const withText = (message: string) => ({ message: expect.stringContaining(message) });

const speakers: readonly Speaker[] = [
  {
    kind: 'chat',
    body: { messages, max_tokens: 50 },
    textIn: (response) => textAt(objectAt(listAt(response, 'choices')[0], 'message'), 'content'),
    pieceIn: (event) => textAt(objectAt(listAt(event, 'choices')[0], 'delta'), 'content'),
    end: 'data: [DONE]',
    errorShape: (message) => ({ error: withText(message) }),
  },
  {
    kind: 'messages',
    body: { messages, max_tokens: 50 },
    textIn: (response) => textsOf(listAt(response, 'content')),
    pieceIn: (event) => textAt(objectAt(event, 'delta'), 'text'),
    end: 'event: message_stop',
    errorShape: (message) => ({ type: 'error', error: withText(message) }),
  },
  {
    kind: 'responses',
    body: { input: 'hi', max_output_tokens: 50 },
    textIn: (response) => textsOf(listAt(response, 'output').flatMap((item) => [...listAt(item, 'content')])),
    pieceIn: (event) => (event['type'] === 'response.output_text.delta' ? textAt(event, 'delta') : ''),
    end: 'event: response.completed',
    errorShape: (message) => ({ error: withText(message) }),
  },
  {
    kind: 'generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 50 } },
    textIn: (response) => textsOf(partsOf(response)),
    pieceIn: (event) => textsOf(partsOf(event)),
    end: '"finishReason":"STOP"',
    errorShape: (message) => ({ error: withText(message) }),
  },
];

const upstreams = ['custom', 'Anthropic', 'Gemini', 'Cohere', 'Ollama'].map((name) => {
  const wire = wires.find((row) => row.name === name);
  if (!wire) throw new Error(`no wire is named ${name}`);
  return wire;
});

const eventsIn = (text: string): readonly JsonObject[] =>
  [...text.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, json]) => JSON.parse(json ?? '') as unknown).filter(isObject);

async function send(fixture: RelayFixture, { kind, body }: Speaker, model: string, isStream: boolean) {
  const isAddressed = kind === 'generateContent';
  const response = await fixture.post(
    endpointKinds[kind],
    isAddressed ? body : { ...body, model, ...(isStream && { stream: true }) },
    isAddressed ? { address: { model, isStream } } : {},
  );
  return { status: response.status, text: await response.text() };
}

async function expectPaid(fixture: RelayFixture, { usage }: Wire): Promise<void> {
  const { outcomes, user, drift } = await fixture.ledger();
  expect(outcomes).toMatchObject([{ promptTokens: usage?.prompt, completionTokens: usage?.completion }]);
  expect([outcomes[0]?.endedBy, user.usedQuota, user.held, drift]).toEqual([undefined, outcomes[0]?.quota, 0, 0]);
}

describe.each(speakers)('$kind clients', (speaker) => {
  describe.each(upstreams)('with an upstream like $name', (wire) => {
    const stageFor = (response: UpstreamHandler) =>
      createFixture({ upstreams: [response], channel: (url) => wireChannel(wire, url) });

    test('returns a whole response and charges the reported usage', async () => {
      const fixture = await stageFor(wire.respond({ isStream: false, isCall: false }));
      const { status, text } = await send(fixture, speaker, wire.model, false);
      expect([status, speaker.textIn(JSON.parse(text))]).toEqual([200, responseText]);
      await expectPaid(fixture, wire);
    });

    test('returns a complete stream and charges the reported usage', async () => {
      const fixture = await stageFor(wire.respond({ isStream: true, isCall: false }));
      const { status, text } = await send(fixture, speaker, wire.model, true);
      expect([status, eventsIn(text).map(speaker.pieceIn).join('')]).toEqual([200, responseText]);
      expect(text).toContain(speaker.end);
      await expectPaid(fixture, wire);
    });

    test.each([false, true])(
      "returns an error in the client's format and charges nothing, streamed: %s",
      async (isStream) => {
        const fixture = await stageFor(wire.reject('the gate is shut'));
        const { status, text } = await send(fixture, speaker, wire.model, isStream);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(JSON.parse(text)).toMatchObject(speaker.errorShape('the gate is shut'));
        expect(await fixture.ledger()).toMatchObject({
          outcomes: [{ quota: 0, endedBy: 'upstream' }],
          user: { held: 0 },
        });
      },
    );

    test("sends an error in the client's format when a stream is aborted, and charges the delivered part", async () => {
      const { bytes, contentType } = await recordResponse(wire.respond({ isStream: true, isCall: false }));
      const begun = bytes.subarray(0, bytes.indexOf('\n', bytes.indexOf('"lo"')) + 2);
      const fixture = await stageFor((response) => {
        response.writeHead(200, { 'content-type': contentType });
        response.write(begun, () => response.destroy());
      });
      const { status, text } = await send(fixture, speaker, wire.model, true);
      expect(status).toBe(200);
      expect(text).toContain('was interrupted');
      expect(text).not.toContain(speaker.end);
      const { outcomes, user } = await fixture.ledger();
      expect(outcomes).toMatchObject([{ endedBy: 'upstream' }]);
      expect(outcomes[0]?.quota).toBeGreaterThan(0);
      expect(user.held).toBe(0);
    });
  });
});

test.each([false, true])(
  'passes the response through unchanged when the upstream has the endpoint, streamed: %s',
  async (isStream) => {
    const [, , speaker] = speakers;
    if (!speaker) throw new Error('nobody speaks responses');
    const fixture = await createFixture({
      upstreams: [nativeResponse({ isStream, isCall: false })],
      channel: { type: 1 },
    });
    const { status, text } = await send(fixture, speaker, 'gpt-4o', isStream);
    expect(status).toBe(200);
    expect(text).toContain('resp_1');
    expect(fixture.upstreams[0]?.received).toMatchObject([{ path: '/v1/responses' }]);
    expect((await fixture.ledger()).outcomes).toMatchObject([{ promptTokens: 10, completionTokens: 5 }]);
  },
);
