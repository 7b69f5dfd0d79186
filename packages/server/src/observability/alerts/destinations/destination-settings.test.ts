import { readFileSync } from 'node:fs';
import { type DestinationKind, destinationFields, destinationKindNames } from '@headgate/contract';
import { expect, test } from 'vitest';
import type { ApiError } from '../../../platform/errors/api-error.ts';
import { readSettings } from './destination-settings.ts';

const messageFor = (kind: DestinationKind, settings: Readonly<Record<string, string>>): string => {
  try {
    readSettings(kind, settings);
    return '';
  } catch (error) {
    return (error as ApiError).messageIn('en');
  }
};

test.each([
  ['webhook', { secret: 'x'.repeat(16) }, 'settings.address (Webhook URL) is required'],
  ['slack', { url: 'https://a.example' }, 'settings.url is not a setting of slack; its settings are: address'],
  [
    'webhook',
    { address: 'https://a.example', secret: 'short' },
    'settings.secret (Signing secret) must have at least 16 characters',
  ],
  [
    'slack',
    { address: 'ftp://a.example' },
    'settings.address (Webhook URL) must be an http or https URL without user name, password and fragment',
  ],
  ['email', { to: 'nobody' }, 'settings.to (Email addresses) must be 1 to 10 email addresses separated by commas'],
  [
    'telegram',
    { token: 'a', chat_id: '1\n2' },
    'settings.chat_id (Chat ID) must not contain line breaks or control characters',
  ],
] as const)('names the invalid field of %s %j and the reason', (kind, settings, message) => {
  expect(messageFor(kind, settings)).toBe(message);
});

test('docs/alerts.md lists every setting of every kind', () => {
  const page = readFileSync(new URL('../../../../../../docs/alerts.md', import.meta.url), 'utf8');
  for (const kind of destinationKindNames) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${kind}\` |`)) ?? '';
    for (const name of Object.keys(destinationFields(kind))) expect(row, kind).toContain(`\`${name}\``);
  }
});
