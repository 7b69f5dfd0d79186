import { apiTables, type Endpoint } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../testing/test-app.ts';

const app = await useTestApp({ options: { StatusPageEnabled: 'true' } });

const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));
const isChange = ({ method, changes }: Endpoint) => method !== 'GET' || changes === true;
const named = (row: Endpoint) => ({ name: `${row.method} ${row.path}`, row });
const changes = rows.filter(isChange).map(named);
const reads = rows.filter((row) => !isChange(row)).map(named);

const { host, port } = new URL(app.url);
const crossSite = { success: false, message: 'Requests from other sites are refused' };

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

test('there are changes to be guarded, the GET of logout among them', () => {
  expect(changes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /api/user/login', 'GET /api/user/logout', 'PUT /api/user/self']),
  );
});

describe.each(changes)('[A20.1] $name', ({ row }) => {
  const input = row.method === 'GET' ? {} : { body: {} };

  test.each(fromElsewhere)('is refused with %o, also to those who may', async (headers) => {
    const client = await app.as('root');
    const answer = await client.send(row, { ...input, headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(crossSite);
    expect((await client.request('GET', '/api/user/self')).status).toBe(200);
  });

  test.each(fromHere)('is let through with %o', async (headers) => {
    const client = await app.as('root');
    expect((await client.send(row, { ...input, headers })).status).not.toBe(403);
  });

  if (row.access === 'visitor')
    test('[A56.11] is refused with any Authorization too: what it changes is the cookie beside it', async () => {
      const client = await app.as('root');
      for (const authorization of ['Bearer token', 'Basic eDp5', '']) {
        const answer = await client.send(row, { ...input, headers: { ...byToken, authorization } });
        expect([answer.status, answer.body]).toEqual([403, crossSite]);
      }
      expect((await client.request('GET', '/api/user/self')).status).toBe(200);
    });
  else
    test('is let through with a token, for which no cookie is looked at', async () => {
      const client = await app.as('root');
      expect((await client.send(row, { ...input, headers: byToken })).status).not.toBe(403);
    });
});

describe.each(changes.filter(({ row }) => row.method === 'GET'))('[A20.3] $name', ({ row }) => {
  test.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' },
    { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' },
  ])('is done by no link and no picture: %o', async (headers) => {
    const client = await app.as('root');
    const answer = await client.send(row, { headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ message: expect.stringContaining('not by a link or a picture') });
    expect((await client.request('GET', '/api/user/self')).status).toBe(200);
  });

  test.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', accept: 'application/json' },
    { accept: '*/*' },
    { accept: 'application/json, text/plain, */*' },
  ])('is done by a script of ours or a program: %o', async (headers) => {
    expect((await (await app.as('root')).send(row, { headers })).status).not.toBe(403);
  });
});

/** What some cannot be asked without. */
const needed = { field: 'token_name', list: 'channel', kind: 'user' };

describe.each(reads)('$name', ({ row }) => {
  test.each(fromElsewhere)('is let through with %o: reading changes nothing', async (headers) => {
    const input = { params: { id: 999_999 }, query: needed, headers };
    expect((await (await app.as('root')).send(row, input)).status).toBe(200);
  });
});

test('behind a trusted proxy the host is the one it was asked for', async () => {
  await using other = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
  const client = other.client();
  client.headers['x-forwarded-host'] = 'gateway.example.com';
  const logout = (origin: string) => client.request('GET', '/api/user/logout', { headers: { origin } });
  expect((await logout('https://gateway.example.com')).status).toBe(200);
  expect((await logout('https://evil.example')).status).toBe(403);
});

test('a forwarded host counts for nothing from somebody who is not a trusted proxy', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' };
  expect((await app.client().request('GET', '/api/user/logout', { headers })).status).toBe(403);
});
