import { claudeMessage, completion, reply } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const dialect = await relayFixture(app, { upstreams: [completion()] });
const claude = await relayFixture(app, { upstreams: [reply(claudeMessage(false))], channel: { type: 14 } });
afterAll(() => Promise.all([dialect.close(), claude.close()]));

const ours = ['host', 'connection', 'content-type', 'content-length', 'accept'];
const clientHeaders = {
  'OpenAI-Beta': 'assistants=v2',
  'OpenAI-Organization': 'org-mine',
  'OpenAI-Project': 'proj-mine',
  'Anthropic-Beta': 'context-1m-2025-08-07',
  'Anthropic-Version': '2023-01-01',
  'Anthropic-Client-Platform': 'cli',
  'Anthropic-Api-Key': 'mine',
  'Anthropic-Organization-Id': 'org-mine',
  'X-Api-Key': 'mine',
  Cookie: 'headgate_session=1',
  'Proxy-Authorization': 'Basic bWluZQ==',
  'X-Forwarded-For': '10.0.0.9',
  TE: 'trailers',
  'X-Stainless-Lang': 'js',
  'Api-Key': 'mine',
  'X-Goog-Api-Key': 'mine',
};

async function headersSeen(scene: typeof dialect): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer sk-${scene.token.key}`,
    'content-type': 'application/json',
    ...clientHeaders,
  };
  const response = await scene.chat({}, { headers });
  expect(response.status).toBe(200);
  const seen = Object.entries(scene.upstreams[0]?.received.at(-1)?.headers ?? {});
  return Object.fromEntries(seen.filter(([name]) => !ours.includes(name)));
}

test('forwards only the beta header to OpenAI-compatible upstreams', async () => {
  expect(await headersSeen(dialect)).toEqual({
    authorization: 'Bearer upstream-key-123456',
    'openai-beta': 'assistants=v2',
  });
});

test('forwards beta, version and other Anthropic headers, but no client account headers', async () => {
  expect(await headersSeen(claude)).toEqual({
    'x-api-key': 'upstream-key-123456',
    'anthropic-beta': 'context-1m-2025-08-07',
    'anthropic-version': '2023-01-01',
    'anthropic-client-platform': 'cli',
  });
});

test('forwards only the beta header for multipart requests', async () => {
  const scene = await relayFixture(app, { upstreams: [reply({ text: 'hello' })], channel: { models: 'whisper-1' } });
  const body = new FormData();
  body.set('model', 'whisper-1');
  body.set('file', new File(['RIFF'], 'talk.wav', { type: 'audio/wav' }));
  const headers = { authorization: `Bearer sk-${scene.token.key}`, 'openai-beta': 'a=1', 'openai-project': 'mine' };
  const response = await fetch(`${app.url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  expect(scene.upstreams[0]?.received[0]?.headers).toMatchObject({ 'openai-beta': 'a=1' });
  expect(scene.upstreams[0]?.received[0]?.headers).not.toHaveProperty('openai-project');
  await scene.close();
});
