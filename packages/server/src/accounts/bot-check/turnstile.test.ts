import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { registrationApi } from '@headgate/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** Stub of Cloudflare's service: accepts tokens that begin with "good". */
const seen: Record<string, string>[] = [];
const responses: Record<string, (response: ServerResponse) => void> = {
  'a rejection': (response) => response.end('{"success":false,"error-codes":["invalid-input-response"]}'),
  HTML: (response) => response.end('<html>'),
  'status 500': (response) => response.writeHead(500).end('{"success":true}'),
  'a truthy string': (response) => response.end('{"success":"yes"}'),
  'a redirect': (response) => response.writeHead(302, { location: '/good' }).end(),
  'a disconnect': (response) => response.destroy(),
};
const cloudflare = createServer(async (request, response) => {
  const form = Object.fromEntries(new URLSearchParams(await text(request)));
  seen.push(form);
  const respond = responses[form['response'] ?? ''];
  if (respond) respond(response);
  else response.end(JSON.stringify({ success: form['response']?.startsWith('good') }));
});
await new Promise<void>((resolve) => {
  cloudflare.listen(0, '127.0.0.1', resolve);
});
afterAll(() => void cloudflare.close());

const app = await useTestApp({
  config: { providerUrls: { turnstile: `http://127.0.0.1:${(cloudflare.address() as AddressInfo).port}` } },
  options: { TurnstileCheckEnabled: 'true', TurnstileSiteKey: 'site', TurnstileSecretKey: 'the-secret' },
});
const failed = apiFailure('The bot check failed; please reload the page and try again');
const register = (username: string, turnstile?: string) =>
  app.client().send(registrationApi.register, {
    query: turnstile === undefined ? {} : { turnstile },
    body: { username, password: 'long enough' },
  });

describe('[S7.10] bot check', () => {
  test('sends the secret and the visitor’s IP address', async () => {
    expect((await register('person', 'good-1')).body).toEqual(apiSuccess);
    expect(seen.at(-1)).toEqual({ secret: 'the-secret', response: 'good-1', remoteip: '127.0.0.1' });
  });

  test('accepts each token only once, even concurrently', async () => {
    const attempts = Array.from({ length: 5 }, (_, index) => register(`again${index}`, 'good-2'));
    const bodies = (await Promise.all(attempts)).map(({ body }) => body as { success: boolean });
    expect(bodies.filter(({ success }) => success)).toHaveLength(1);
    expect(seen.filter(({ response }) => response === 'good-2')).toHaveLength(1);
  });

  test.each([undefined, ''])('rejects the token %j without calling the service', async (token) => {
    const before = seen.length;
    expect((await register('nobody', token)).body).toEqual(failed);
    expect(seen).toHaveLength(before);
  });

  test.each(Object.keys(responses))('the bot check fails when the service responds with %s', async (token) => {
    expect((await register('nobody', token)).body).toEqual(failed);
  });
});
