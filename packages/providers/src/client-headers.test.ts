import { expect, test } from 'vitest';
import { clientHeadersFor } from './client-headers.ts';

const sent = {
  authorization: 'Bearer mine',
  cookie: 'session=1',
  connection: 'close',
  'x-api-key': 'mine',
  'openai-beta': 'assistants=v2',
  'openai-organization': 'org-mine',
  'openai-project': 'mine',
  'anthropic-beta': 'a,b',
  'set-cookie': ['x=1'],
  'anthropic-version': '',
};

test("matches a header family by wildcard, except headers about the client's account", () => {
  const more = {
    ...sent,
    'anthropic-dangerous-direct-browser-access': 'true',
    'anthropic-client-platform': 'cli',
    'anthropic-api-key': 'mine',
    'anthropic-auth-token': 'mine',
    'anthropic-organization-id': 'mine',
    'anthropic-workspace-id': 'mine',
    'x-anthropic-beta': 'c',
  };
  expect(clientHeadersFor({ clientHeaders: ['anthropic-*'] }, more)).toEqual({
    'anthropic-beta': 'a,b',
    'anthropic-dangerous-direct-browser-access': 'true',
    'anthropic-client-platform': 'cli',
  });
});

test("forwards the headers in the provider's row, or the default headers", () => {
  expect(clientHeadersFor({}, sent)).toEqual({ 'openai-beta': 'assistants=v2' });
  expect(clientHeadersFor({ clientHeaders: ['anthropic-beta', 'anthropic-version', 'set-cookie'] }, sent)).toEqual({
    'anthropic-beta': 'a,b',
  });
  expect(clientHeadersFor({ clientHeaders: [] }, sent)).toEqual({});
});
