import { RequestProblem, readChatRequest, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { Provider, Upstream } from './provider.ts';
import { providers } from './registry.ts';

const plain: Upstream = {
  baseUrl: 'https://upstream.test/base',
  key: 'key',
  model: 'NAME',
  requestedModel: 'NAME',
  isStream: false,
  other: '',
  config: { user_id: 'account' },
  clientHeaders: {},
  credential: 'token',
  largestBody: 10_000_000,
  now: Date.UTC(2025, 0, 1),
  nonce: '00000000-0000-4000-8000-000000000001',
};

const keys = [
  'key',
  'id.secret',
  'app|secret|key',
  'us-east5|project-1|api-key',
  'access|secret|us-east-1',
  'key|us-east-1',
];
const others = ['', 'v3.5'];

/** All requests of a provider for a model with this name, with any key and settings. */
function sentFor(provider: Provider, model: string) {
  const upstreams = keys.flatMap((key) =>
    others.map((other) => ({ ...plain, key, other, model, requestedModel: model })),
  );
  return upstreams.flatMap((upstream) => [
    ...attempt(() => {
      const chat = typeof provider.chat === 'function' ? provider.chat(upstream) : provider.chat;
      if (!chat) return undefined;
      const request = readChatRequest({ messages: [{ role: 'user', content: 'Hi' }] });
      return chat.kind === 'pass' ? chat.send(upstream) : chat.encode(request, upstream);
    }),
    ...attempt(() => {
      const { embeddings } = provider;
      const wire = typeof embeddings === 'function' ? embeddings(upstream) : embeddings;
      return wire?.kind === 'pass' ? wire.send(upstream) : wire?.encode({ input: 'Hi' }, upstream);
    }),
  ]);
}

function attempt(send: () => { url: string; headers: Readonly<Record<string, string>> } | undefined) {
  try {
    const sent = send();
    return sent ? [sent] : [undefined];
  } catch (error) {
    if (error instanceof UpstreamProblem || error instanceof RequestProblem) return [undefined];
    throw error;
  }
}

const hostile = [
  '../../../admin',
  '..%2f..%2fadmin',
  'a/../../b',
  '..\\..\\admin',
  'a?key=1',
  'a#b',
  '@evil.example/a',
  '//evil.example/a',
  'a:generate/../b',
  'a;b',
  'a\r\nx-key: 1',
];

describe.each(Object.entries(providers))('channel type %s', (_, provider) => {
  test.each(hostile)('[A22.4] [A23.1] a model named %j cannot change the URL', (name) => {
    // A slash may mark another publisher's model, which some providers send to another URL.
    const usual = sentFor(provider, name.includes('/') ? 'house/NAME' : 'NAME');
    for (const [index, sent] of sentFor(provider, name).entries()) {
      const expected = usual[index];
      if (!sent || !expected) continue;
      const url = new URL(sent.url);
      const wanted = new URL(expected.url);
      const [before = '', ...after] = wanted.pathname.split(/(?:house(?:\/|%2F))?NAME/i);
      expect(url.origin).toBe(wanted.origin);
      expect(url.pathname.startsWith(before), `${url.pathname} begins with ${before}`).toBe(true);
      expect(url.pathname.endsWith(after.at(-1) ?? ''), `${url.pathname} ends with ${after.at(-1)}`).toBe(true);
      if (after.length === 0) expect(url.pathname).toBe(wanted.pathname);
      expect([...url.searchParams.keys()]).toEqual([...wanted.searchParams.keys()]);
      expect(url.hash).toBe('');
      expect(Object.values(sent.headers).join('')).not.toMatch(/[\r\n]/);
    }
  });
});

test('channel settings cannot change the URL', () => {
  const versions = { ...plain, config: { api_version: '../../admin?x#y', user_id: '../../admin' }, other: '' };
  const urls = Object.values(providers).flatMap(({ chat }) =>
    attempt(() => {
      const wire = typeof chat === 'function' ? chat(versions) : chat;
      const request = readChatRequest({ messages: [{ role: 'user', content: 'Hi' }] });
      return wire?.kind === 'pass' ? wire.send(versions) : wire?.encode(request, versions);
    }).flatMap((sent) => (sent ? [new URL(sent.url)] : [])),
  );
  expect(urls.length).toBeGreaterThan(30);
  for (const url of urls) {
    expect(url.pathname).not.toMatch(/^\/admin|\/\.\.\//);
    expect(url.hash).toBe('');
  }
});
