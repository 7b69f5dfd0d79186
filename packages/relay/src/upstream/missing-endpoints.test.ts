import { expect, it } from 'vitest';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { MissingEndpoints } from './missing-endpoints.ts';

const channel = { id: 1, baseUrl: 'http://one' } as RelayChannel;

it('remembers a missing endpoint for an hour, by channel and base URL', () => {
  let now = 0;
  const missing = new MissingEndpoints(() => now);
  missing.note(channel, 'responses');
  expect(missing.has(channel, 'responses')).toBe(true);
  expect(missing.has(channel, 'messages')).toBe(false);
  expect(missing.has({ ...channel, id: 2 }, 'responses')).toBe(false);
  expect(missing.has({ ...channel, baseUrl: 'http://two' }, 'responses')).toBe(false);
  now = 3_600_000;
  expect(missing.has(channel, 'responses')).toBe(false);
});
