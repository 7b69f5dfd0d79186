import { describe, expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { vertex } from './index.ts';

const text = { type: 'text', text: 'Hi' };
const user = { role: 'user', content: [text] };
const thought = { type: 'thinking', thinking: 'Hm', signature: '' };

describe("Anthropic's dialect at Vertex", () => {
  const key = 'us-east5|our-project|{"type":"service_account"}';
  const at = { key, credential: 'token', baseUrl: 'https://upstream.test', model: 'claude-opus-4-8@default' };

  test("sends a request to the model's URL, without the model in the body", () => {
    const endpoint = passThroughEndpoint(vertex, 'messages', at);
    const upstream = { ...testUpstream, ...at, clientHeaders: { 'anthropic-beta': 'a' } };
    const { url, headers } = endpoint.send({ ...upstream, isStream: true });
    expect(url).toMatch(/\/publishers\/anthropic\/models\/claude-opus-4-8@default:streamRawPredict$/);
    expect(headers).toMatchObject({ 'anthropic-beta': 'a', authorization: 'Bearer token' });
    expect(endpoint.send(upstream).url).toMatch(/:rawPredict$/);
    const inside = { role: 'system', content: 'In Latin' };
    expect(
      endpoint.patch?.(
        { model: 'm', messages: [user, inside, { role: 'assistant', content: [thought, text] }] },
        upstream,
      ),
    ).toEqual({
      model: undefined,
      anthropic_version: 'vertex-2023-10-16',
      system: [{ type: 'text', text: 'In Latin' }],
      messages: [user, { role: 'assistant', content: [text] }],
    });
  });

  test("does not pass Anthropic's dialect through for models of other publishers", () => {
    expect(() => passThroughEndpoint(vertex, 'messages', { ...at, model: 'gemini-2.5-flash' })).toThrow();
  });
});
