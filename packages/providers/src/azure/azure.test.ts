import { expect, test } from 'vitest';
import type { EndpointName, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { azure } from './index.ts';

const resource = 'https://r.openai.azure.com';
const upstream: Upstream = { ...testUpstream, baseUrl: resource, model: 'gpt-3.5-turbo', other: '2024-10-21' };

const endpointOf = (name: EndpointName, fields: Partial<Upstream> = {}) => {
  const given = { ...upstream, ...fields };
  const endpoint = azure[name];
  const chosen = typeof endpoint === 'function' ? endpoint(given) : endpoint;
  if (chosen?.kind !== 'pass') throw new Error('not passed through');
  return { ...chosen, sent: chosen.send(given) };
};
const urlOf = (name: EndpointName, fields: Partial<Upstream> = {}) => endpointOf(name, fields).sent.url;

test('names a deployment after its model, without dots', () => {
  const { sent } = endpointOf('chat');
  expect(sent).toEqual({
    url: `${resource}/openai/deployments/gpt-35-turbo/chat/completions?api-version=2024-10-21`,
    headers: { 'api-key': 'test-key' },
  });
  expect(urlOf('completions')).toContain('/openai/deployments/gpt-35-turbo/completions?');
  expect(urlOf('embeddings')).toContain('/openai/deployments/gpt-35-turbo/embeddings?');
});

test.each([
  ['images', 'images/generations'],
  ['imageEdits', 'images/edits'],
  ['speech', 'audio/speech'],
  ['transcriptions', 'audio/transcriptions'],
  ['translations', 'audio/translations'],
] as const)('keeps the deployment name unchanged at %s', (name, path) => {
  expect(urlOf(name, { model: 'gpt-image-1.5' })).toBe(
    `${resource}/openai/deployments/gpt-image-1.5/${path}?api-version=2024-10-21`,
  );
});

test('does not support moderations', () => {
  expect(azure.moderations).toBeUndefined();
});

test("uses the channel's API version, or the default", () => {
  expect(urlOf('chat', { other: '' })).toContain('?api-version=2024-03-01-preview');
  expect(urlOf('chat', { config: { api_version: '2025-01-01&x' } })).toContain('?api-version=2025-01-01%26x');
  expect(urlOf('chat', { model: '../x' })).toContain('/openai/deployments/%2Fx/chat/');
});

test('uses no deployments with the unversioned API', () => {
  expect(urlOf('chat', { other: 'v1' })).toBe(`${resource}/openai/v1/chat/completions`);
  expect(urlOf('images', { other: 'v1' })).toBe(`${resource}/openai/v1/images/generations`);
  expect(urlOf('chat', { baseUrl: `${resource}/openai/v1` })).toBe(`${resource}/openai/v1/chat/completions`);
});

test("omits the resource name behind Cloudflare's gateway", () => {
  const baseUrl = 'https://gateway.ai.cloudflare.com/v1/acct/gate/azure-openai/r';
  expect(urlOf('chat', { baseUrl })).toBe(`${baseUrl}/gpt-35-turbo/chat/completions?api-version=2024-10-21`);
});

test.each([
  ['2024-03-01-preview', true],
  ['2024-08-01-preview', true],
  ['2024-09-01-preview', undefined],
  ['2024-10-21', undefined],
  ['v1', undefined],
])('detects whether version %s rejects stream_options: %s', (other, rejects) => {
  expect(endpointOf('chat', { other }).rejectsStreamOptions).toBe(rejects);
});

test('uses the new limit field name for reasoning models', () => {
  const patched = endpointOf('chat').patch?.({ max_tokens: 5 }, { ...upstream, model: 'o3-mini' });
  expect(patched).toEqual({ max_tokens: undefined, max_completion_tokens: 5 });
});

test('lists models', () => {
  const list = (fields: Partial<Upstream>) => azure.modelList?.request({ ...upstream, ...fields });
  expect(list({})).toEqual({
    method: 'GET',
    url: `${resource}/openai/models?api-version=2024-10-21`,
    headers: { 'api-key': 'test-key' },
  });
  expect(list({ other: 'v1' })?.url).toBe(`${resource}/openai/v1/models`);
});

test('passes Responses requests through in the unversioned API, and translates them otherwise', () => {
  expect(urlOf('responses', { other: 'v1' })).toBe(`${resource}/openai/v1/responses`);
  expect(() => urlOf('responses')).toThrow('not passed through');
});
