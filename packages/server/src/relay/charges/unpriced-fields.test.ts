import { optionApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'gpt-4o,whisper-1' } });
afterAll(() => scene.close());
const root = await app.as('root');
const allow = (value: string) => root.call(optionApi.update, { body: { key: 'UnpricedFieldsAllowed', value } });
afterEach(() => allow(''));

const sent = () => scene.upstreams[0]?.received ?? [];
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string; code: string; param: string } }).error;
const search = [{ type: 'web_search' }];

const costly: readonly (readonly [string, unknown])[] = [
  ['service_tier', 'priority'],
  ['service_tier', 'scale'],
  ['service_tier', ['auto']],
  ['speed', 'fast'],
  ['inference_geo', 'us'],
  ['priority', -5],
  ['tools', search],
  ['tools', [{ type: 'function', function: { name: 'own' } }, { type: 'builtin_function' }]],
  ['tools', [{ google_search: {} }]],
  ['tools', [{ functionDeclarations: [{ name: 'own' }], googleSearch: {} }]],
  ['tools', { function_declarations: [], google_search: {} }],
  ['tools', { type: 'web_search' }],
  ['web_search_options', {}],
  ['web_search', { enable: true }],
  ['search_parameters', { mode: 'on' }],
  ['search_parameters', { sources: [{ type: 'web' }] }],
  ['search_options', { forced_search: true }],
  ['enable_search', true],
  ['enable_search', 'true'],
  ['enable_search', 1],
  ['force_search_enhancement', true],
  ['enable_code_interpreter', true],
  ['mcp_servers', [{ url: 'https://mcp.example' }]],
  ['provider', { order: ['dearest'] }],
  ['plugins', [{ id: 'web' }]],
  ['preset', 'the-operators'],
  ['api_base', 'https://elsewhere.example'],
  ['api_key', 'somebody'],
  ['extra_body', { provider: { order: ['dearest'] } }],
  ['extra_body', { model: 'gpt-4o-dear' }],
  ['extra_body', '{"model":"gpt-4o-dear"}'],
  ['extra_headers', { 'x-team': 'other' }],
  ['bbox_annotation_format', { type: 'json_schema' }],
  ['document_annotation_format', { type: 'json_schema' }],
  ['chatId', 'of-somebody-else'],
  ['conversation_id', 'of-somebody-else'],
  ['thread_id', 'of-somebody-else'],
  ['previous_response_id', 'resp_1'],
];

describe('[A5.10] fields with unpriced cost', () => {
  test.each(costly)('rejects a request without sending it: %s %j', async (name, value) => {
    const before = sent().length;
    const response = await scene.chat({ [name]: value });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'unpriced_field', param: name });
    expect(sent()).toHaveLength(before);
  });

  test.each(['Service_Tier', 'serviceTier', 'PLUGINS', 'chat_id', 'extraBody', 'enableSearch'])(
    'rejects a field in the spelling %s',
    async (name) => {
      const before = sent().length;
      const response = await scene.chat({ [name]: 'priority' });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({ code: 'ambiguous_field', param: name });
      expect(sent()).toHaveLength(before);
    },
  );

  test.each([
    ...['auto', 'default', 'flex', null].map((value) => ['service_tier', value] as const),
    ...[null, []].map((value) => ['plugins', value] as const),
    ['tools', [{ type: 'function', function: { name: 'own', parameters: {} } }]],
    ['tools', { functionDeclarations: [{ name: 'own' }] }],
    ['enable_search', false],
    ['search_parameters', { mode: 'off' }],
    ['extra_body', {}],
    ['web_search_options', null],
    ['speed', 1.5],
  ] as const)('sends a field that is free: %s %j', async (name, value) => {
    const response = await scene.chat({ [name]: value });
    expect(response.status).toBe(200);
    expect(sent().at(-1)?.body).toMatchObject({ [name]: value });
  });

  test('sends a field that an admin has allowed, but not others', async () => {
    await allow('service_tier,tools');
    expect((await scene.chat({ service_tier: 'priority', tools: search })).status).toBe(200);
    expect(sent().at(-1)?.body).toMatchObject({ service_tier: 'priority', tools: search });
    expect((await scene.chat({ service_tier: 'priority', plugins: [{ id: 'web' }] })).status).toBe(400);
  });

  test.each([
    [{ model: 'gpt-4o-dear' }, 'extra_body.model'],
    [{ Max_Tokens: 9000 }, 'extra_body.Max_Tokens'],
    [{ models: ['a', 'b'] }, 'extra_body.models'],
    [{ service_tier: 'priority' }, 'extra_body.service_tier'],
    [{ enableSearch: true }, 'extra_body.enableSearch'],
    [{ extra_body: { n: 50 } }, 'extra_body.extra_body.n'],
    ['{"n":50}', 'extra_body'],
    [[{ n: 50 }], 'extra_body'],
  ])('rejects an unpriced field inside an allowed extra_body: %j', async (extra_body, param) => {
    await allow('extra_body');
    const before = sent().length;
    const response = await scene.chat({ extra_body });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'unpriced_field', param });
    expect(sent()).toHaveLength(before);
  });

  test('sends an allowed extra_body with free or allowed fields', async () => {
    await allow('extra_body,provider');
    const extra_body = { provider: { sort: 'price' }, service_tier: 'auto', google: { thinking_config: {} } };
    expect((await scene.chat({ extra_body })).status).toBe(200);
    expect(sent().at(-1)?.body).toMatchObject({ extra_body });
  });

  test.each(['extra_body', 'extra_body[n]', 'Service_Tier', 'provider[]'])(
    'rejects the form field %s',
    async (name) => {
      const body = new FormData();
      body.append('model', 'whisper-1');
      body.append('file', new Blob([new Uint8Array(100)]), 'a.mp3');
      body.append(name, 'priority');
      const before = sent().length;
      const response = await fetch(`${app.url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${scene.token.key}` },
        body,
      });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({ code: 'unpriced_field' });
      expect(sent()).toHaveLength(before);
    },
  );
});
