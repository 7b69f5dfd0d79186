import { completion } from '@headgate/testkit';
import OpenAI from 'openai';
import { afterAll, describe, expect, it } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()], channel: { type: 36 } });
afterAll(() => scene.close());
const apiKey = `sk-${scene.token.key}`;
const client = new OpenAI({ baseURL: `${app.url}/openai/v1`, apiKey, maxRetries: 0 });

describe('/openai/v1', () => {
  it('serves the endpoints of /v1', async () => {
    const messages = [{ role: 'user' as const, content: 'hi' }];
    const response = await client.chat.completions.create({ model: 'gpt-4o', messages });
    expect(response.choices[0]?.message.content).toBe('Hello');
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toContain('gpt-4o');
    const { id } = await client.responses.create({ model: 'gpt-4o', input: 'hi' });
    expect((await client.responses.retrieve(id)).id).toBe(id);
  });

  it('checks the token like /v1', async () => {
    const stranger = await fetch(`${app.url}/openai/v1/models`, { headers: { authorization: 'Bearer sk-none' } });
    expect(stranger.status).toBe(401);
  });

  it.each(['/openai/v10/models', '/openai/v2/models', '/openai/api/user/self', '/openai/openai/v1/models'])(
    'does not serve other paths: %s',
    async (path) => {
      const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${apiKey}` } });
      expect([response.status, response.headers.get('content-type')]).not.toEqual([
        200,
        expect.stringContaining('json'),
      ]);
    },
  );
});
