import { nativeResponse, responseText, toolInput, type Wire, wires } from '@headgate/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { agentClients, type SendChat } from '../../testing/relay/agent-clients.ts';
import { useWireFixtures, type WireFixture } from '../../testing/relay/wire-fixture.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { stageOf } = useWireFixtures(app);
const dialects = Object.keys(agentClients(app.url, 'sk-none'));

async function send(stage: WireFixture, wire: Wire, dialect: string, format: { isStream: boolean; hasTools: boolean }) {
  const { isStream, hasTools } = format;
  const responded = { isStream, isCall: hasTools };
  stage.respondWith((response, request) =>
    (request.path.endsWith('/responses') ? nativeResponse(responded) : wire.respond(responded))(response, request),
  );
  const ask = agentClients(app.url, `sk-${stage.scene.token.key}`)[dialect] as SendChat;
  const reply = await ask({ model: wire.model, isStream, hasTools });
  const { prompt, completion } = wire.usage ?? {};
  if (wire.usage) expect(reply.usage).toEqual({ prompt, completion });
  const { logs, drift } = await stage.scene.books();
  expect(logs.at(-1)).toMatchObject({
    type: 2,
    model_name: wire.model,
    channel: stage.channel,
    is_stream: isStream ? 1 : 0,
    ...(wire.usage && { prompt_tokens: wire.usage.prompt, completion_tokens: wire.usage.completion }),
  });
  expect(drift).toBe(0);
  return reply;
}

describe.each(wires.map((wire, turn) => ({ ...wire, wire, turn })))('channel type $type $name', ({ wire, turn }) => {
  let stage: WireFixture;
  beforeAll(async () => {
    stage = await stageOf(wire);
  });

  test.each(rotatedSample(dialects, turn, 1))('serves and charges a %s client, whole and streamed', async (name) => {
    for (const isStream of [false, true]) {
      const reply = await send(stage, wire, name, { isStream, hasTools: false });
      expect(reply).toMatchObject({ text: responseText, calls: [], finish: 'stop' });
    }
  });

  if (!wire.hasTools) return;

  test.each(rotatedSample(dialects, turn + 1, 1))('calls a tool of a %s client, whole and streamed', async (name) => {
    for (const isStream of [false, true]) {
      const reply = await send(stage, wire, name, { isStream, hasTools: true });
      expect(reply).toMatchObject({ text: '', calls: [{ name: 'weather', input: toolInput }], finish: 'tool' });
    }
  });
});
