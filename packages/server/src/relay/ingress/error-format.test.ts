import { once } from 'node:events';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { slowRequest } from '../../testing/relay/slow-request.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => scene.close());

/** Path served by the relay ingress, and path served by Fastify. */
const ways = ['/v1/chat/completions', '/v1/files'] as const;

describe.each(ways)('errors at %s', (path) => {
  test('errors have one format and the headers of every relay response', async () => {
    const response = await fetch(`${app.url}${path}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: expect.any(String), param: null, code: 'invalid_api_key' },
    });
  });

  test('an error keeps the connection open for the next request if a short body has not arrived yet', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '2' };
    const { socket, send, response } = slowRequest(app.url, path, headers);
    const [first] = (await once(socket, 'data')) as [string];
    expect(first).toMatch(/^HTTP\/1.1 401 /);
    expect(first).not.toMatch(/^connection: close/im);
    send('{}GET /v1/models HTTP/1.1\r\nhost: headgate\r\nconnection: close\r\n');
    send(`authorization: Bearer sk-${scene.token.key}\r\n\r\n`);
    expect(await response).toMatch(/HTTP\/1.1 200 .*gpt-4o/s);
  });

  test('an error closes the connection if a long body has not arrived yet', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
    expect(await slowRequest(app.url, path, headers).response).toMatch(/^HTTP\/1.1 401 .*connection: close/is);
  });
});
