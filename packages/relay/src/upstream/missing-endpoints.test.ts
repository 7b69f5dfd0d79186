import { expect, it } from 'vitest';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { MissingEndpoints } from './missing-endpoints.ts';

const channel = { id: 1, baseUrl: 'http://one' } as RelayChannel;

it('remembers a missing endpoint for an hour, by channel, base URL and model', () => {
  let now = 0;
  const missing = new MissingEndpoints(() => now);
  missing.note(channel, 'responses', 'gpt-4o');
  expect(missing.has(channel, 'responses', 'gpt-4o')).toBe(true);
  expect(missing.has(channel, 'messages', 'gpt-4o')).toBe(false);
  expect(missing.has(channel, 'responses', 'o3')).toBe(false);
  expect(missing.has({ ...channel, id: 2 }, 'responses', 'gpt-4o')).toBe(false);
  expect(missing.has({ ...channel, baseUrl: 'http://two' }, 'responses', 'gpt-4o')).toBe(false);
  now = 3_600_000;
  expect(missing.has(channel, 'responses', 'gpt-4o')).toBe(false);
});
