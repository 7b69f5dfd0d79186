import { statusApi } from '@headgate/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const fetched = vi.fn(async (_address: string, _init: RequestInit) =>
  Response.json({ success: true, message: '', data: {} }),
);

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('window', { addEventListener: () => undefined });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('fetch', fetched);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  fetched.mockClear();
});

test.for([
  ['', '/api/status', 'same-origin'],
  ['https://gateway.example.com/', 'https://gateway.example.com/api/status', 'include'],
] as const)('[S7.2] built for the server "%s" calls %s', async ([server, address, credentials]) => {
  vi.stubEnv('VITE_SERVER', server);
  const { call } = await import('./call.ts');
  await call(statusApi.status, {});
  expect(fetched).toHaveBeenCalledWith(address, expect.objectContaining({ credentials }));
});

test.for([
  ['an error status', () => new Response('{}', { status: 502 }), 'HTTP 502'],
  ['a 401 response', () => new Response('{}', { status: 401 }), 'HTTP 401'],
  ['no JSON', () => new Response('<html>'), 'The server sent an invalid response'],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'The server cannot be reached'],
  ['an error', () => Response.json({ success: false, message: 'No.' }), 'No.'],
  [
    'an error without a message',
    () => Response.json({ success: false, message: '' }),
    'The server rejected the request without giving a reason',
  ],
] as const)('[S8.1] logs %s with a readable message', async ([, response, words]) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fetched.mockImplementationOnce(async () => response());
  const { call } = await import('./call.ts');
  await expect(call(statusApi.status, {})).rejects.toThrow(words);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test.for([
  ['an error status', () => new Response('{}', { status: 403 }), 'HTTP 403'],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'The server cannot be reached'],
] as const)('[S8.1] logs %s of the release service with a readable message', async ([, response, words]) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  fetched.mockImplementationOnce(async () => response());
  const { readLatestRelease } = await import('./call.ts');
  await expect(readLatestRelease()).rejects.toThrow(words);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test('[S7.1] reads every response as success, message and data', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { call } = await import('./call.ts');
  const read = (reply: unknown) => {
    fetched.mockImplementationOnce(async () => Response.json(reply));
    return call(statusApi.notice, {});
  };
  await expect(read({ success: true, message: '', data: 'Hello' })).resolves.toBe('Hello');
  await expect(read({ success: false, message: 'Not today', data: 'Hello' })).rejects.toThrow('Not today');
  for (const odd of [
    { data: 'Hello' },
    { success: true, data: 'Hello' },
    { message: '', data: 'Hello' },
    'Hello',
    null,
  ])
    await expect(read(odd)).rejects.toThrow('The server sent an invalid response');
  logged.mockRestore();
});

test('completes a change that a node has not confirmed, and shows a warning with the name of the node', async () => {
  const envelope = { success: true, message: 'Done, but not yet confirmed by b', unconfirmed: ['b'], data: {} };
  fetched.mockImplementationOnce(async () => Response.json(envelope));
  const messages = await import('../page/messages.ts');
  const shown = vi.spyOn(messages, 'showMessage');
  const { callWithoutData } = await import('./call.ts');
  await callWithoutData(statusApi.status, {});
  expect(shown.mock.calls).toEqual([['warning', 'Done, but not yet confirmed by b']]);
  fetched.mockImplementationOnce(async () => Response.json({ success: true, message: 'anything', data: {} }));
  await callWithoutData(statusApi.status, {});
  expect(shown).toHaveBeenCalledOnce();
});
