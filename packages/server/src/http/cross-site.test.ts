import type { Endpoint } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { emptyInput, endpoints, nameOf } from '../testing/endpoints.ts';
import { rotatedSample } from '../testing/sample.ts';
import { startTestApp, useTestApp } from '../testing/test-app.ts';

const app = await useTestApp({ options: { StatusPageEnabled: 'true' } });

const isChange = ({ method, changes }: Endpoint) => method !== 'GET' || changes === true;
const named = (row: Endpoint, turn: number) => ({ name: nameOf(row), row, turn });
const changes = endpoints.filter(isChange).map(named);
const reads = endpoints.filter((row) => !isChange(row)).map(named);

const { host, port } = new URL(app.url);
const crossSite = { success: false, message: 'Requests from other sites are rejected' };

const fromElsewhere: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'nonsense' },
  { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
  { origin: 'https://evil.example' },
  { origin: `http://evil.example:${port}` },
  { origin: `http://127.0.0.1.evil.example:${port}` },
  { origin: `http://127.0.0.1:${Number(port) + 1}` },
  { origin: 'http://127.0.0.1' },
  { origin: `http://${host}@evil.example` },
  { origin: 'null' },
  { origin: '' },
];

const fromHere: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin', origin: `http://${host}` },
  { 'sec-fetch-site': 'none' },
  { origin: `http://${host}` },
];
const byToken = { authorization: 'Bearer token', 'sec-fetch-site': 'cross-site', origin: 'https://app.example' };

test('guarded endpoints include writes and the GET of logout', () => {
  expect(changes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /api/user/login', 'GET /api/user/logout', 'PUT /api/user/self']),
  );
});

const root = await app.as('root');
const isSignedIn = async () => (await root.request('GET', '/api/user/self')).status === 200;

/** A successful call may end its own session. */
const endsSession = new Set(['GET /api/user/logout', 'DELETE /api/user/self', 'POST /api/user/login']);

/**
 * The guard is the same for every endpoint, so each endpoint is tested with a few headers, and each header with many
 * endpoints.
 */
describe.each(changes)('[A20.1] $name', ({ name, row, turn }) => {
  const input = row.method === 'GET' ? {} : { body: {} };
  const status = async (headers: Readonly<Record<string, string>>) => {
    const client = endsSession.has(name) ? await app.as('root') : root;
    return (await client.send(row, { ...input, headers })).status;
  };

  test('rejects other sites, even for root', async () => {
    for (const headers of rotatedSample(fromElsewhere, turn, 3)) {
      const response = await root.send(row, { ...input, headers });
      expect([response.status, response.body], JSON.stringify(headers)).toEqual([403, crossSite]);
    }
    expect(await isSignedIn()).toBe(true);
  });

  test('accepts its own origin and clients that are not browsers', async () => {
    for (const headers of rotatedSample(fromHere, turn, 2))
      expect([401, 403], JSON.stringify(headers)).not.toContain(await status(headers));
  });

  if (row.access === 'visitor')
    test('[A56.11] rejects other sites with any Authorization header, because the call changes the cookie', async () => {
      for (const authorization of ['Bearer token', 'Basic eDp5', '']) {
        const response = await root.send(row, { ...input, headers: { ...byToken, authorization } });
        expect([response.status, response.body]).toEqual([403, crossSite]);
      }
      expect(await isSignedIn()).toBe(true);
    });
  else
    test('ignores the cookie when a token is sent', async () => {
      expect(await status(byToken)).not.toBe(403);
    });
});

describe.each(changes.filter(({ row }) => row.method === 'GET'))('[A20.3] $name', ({ row }) => {
  test('the endpoint does not run from a link or an image', async () => {
    const byLink: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' },
      { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
      { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' },
    ];
    for (const headers of byLink) {
      const response = await root.send(row, { headers });
      expect(response.status, JSON.stringify(headers)).toBe(403);
      expect(response.body).toMatchObject({
        message: expect.stringContaining('cannot be opened as a link or an image'),
      });
    }
    expect(await isSignedIn()).toBe(true);
  });

  test.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', accept: 'application/json' },
    { accept: '*/*' },
    { accept: 'application/json, text/plain, */*' },
  ])('the endpoint can be called from a console script or a program: %o', async (headers) => {
    expect((await (await app.as('root')).send(row, { headers })).status).not.toBe(403);
  });
});

/** Required query fields of some reads. */
const period = { start_timestamp: '1', end_timestamp: '2' };
const texts = { field: 'token_name', list: 'channel', kind: 'user', model: 'gpt-4o', email: 'ada@example.com' };
const needed = { ...texts, ids: '1', key: 'r', ...period };

test.each(reads)('$name serves other sites, because it changes nothing', async ({ row, turn }) => {
  for (const headers of rotatedSample(fromElsewhere, turn, 1)) {
    const { params, query } = emptyInput(row);
    const { status } = await root.send(row, { params, query: { ...needed, ...query }, headers });
    // Exports get an invalid format.
    expect(status, JSON.stringify(headers)).toBe(query ? 400 : 200);
  }
});

test('uses the forwarded host behind a trusted proxy', async () => {
  await using other = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
  const client = other.client();
  client.headers['x-forwarded-host'] = 'gateway.example.com';
  const logout = (origin: string) => client.request('GET', '/api/user/logout', { headers: { origin } });
  expect((await logout('https://gateway.example.com')).status).toBe(200);
  expect((await logout('https://evil.example')).status).toBe(403);
});

test('ignores a forwarded host from an untrusted client', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' };
  expect((await app.client().request('GET', '/api/user/logout', { headers })).status).toBe(403);
});
