import { expect, test } from 'vitest';
import { clientLink, clients } from './client-links.ts';

const parts = { key: 'sk-abc', serverAddress: 'https://gate.example:8443', chatLink: '' };

test('[S9.46] uses hosted apps if no chat link is set, and never puts null or undefined into a link', () => {
  expect(clientLink('next', parts)).toBe(
    'https://app.nextchat.dev/#/?settings={"key":"sk-abc","url":"https://gate.example:8443"}',
  );
  for (const { id } of clients) expect(clientLink(id, parts)).not.toMatch(/null|undefined/);
});

test('encodes the chat link and the server address as URL parameters', () => {
  const own = { ...parts, chatLink: 'https://chat.example/' };
  expect(clientLink('lobechat', own)).toBe(
    'https://chat.example/?settings={"keyVaults":{"openai":{"apiKey":"sk-abc","baseURL":"https://gate.example:8443/v1"}}}',
  );
  expect(clientLink('ama', own)).toBe('ama://set-api-key?server=https%3A%2F%2Fgate.example%3A8443&key=sk-abc');
  expect(clientLink('opencat', own)).toBe('opencat://team/join?domain=https%3A%2F%2Fgate.example%3A8443&token=sk-abc');
});
