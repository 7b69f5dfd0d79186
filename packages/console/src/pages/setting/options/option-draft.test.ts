import { optionKeys, type StoredOption } from '@headgate/contract';
import { expect, test } from 'vitest';
import { changedOptions, displayedText, validateOptions, willBeCleared } from './option-draft.ts';

const stored = (values: Record<string, string>): ReadonlyMap<string, StoredOption> =>
  new Map(Object.entries(values).map(([key, value]) => [key, { key, value }]));

test('[S5.18] shows an empty ratio object as an empty field, and sends an empty field as one', () => {
  expect(displayedText('ModelRatio', '{}')).toBe('');
  expect(changedOptions({ ModelRatio: '' }, stored({ ModelRatio: '{}' }))).toEqual([]);
  expect(changedOptions({ ModelRatio: ' ' }, stored({ ModelRatio: '{"a":1}' }))).toEqual([
    { key: 'ModelRatio', value: '{}' },
  ]);
});

test('[S5.19] saves the SMTP port only if filled in', () => {
  expect(changedOptions({ SMTPPort: '' }, stored({ SMTPPort: '587' }))).toEqual([]);
  expect(changedOptions({ SMTPPort: '465' }, stored({ SMTPPort: '587' }))).toEqual([{ key: 'SMTPPort', value: '465' }]);
});

test.for([
  'SMTPToken',
  'GitHubClientSecret',
  'LarkClientSecret',
  'WeChatServerToken',
  'MessagePusherToken',
  'TurnstileSecretKey',
] as const)('[S5.20] saves %s only if filled in', (key) => {
  // The server does not return a stored secret, so the form sees it as empty.
  for (const before of ['', 'as-stored']) {
    for (const empty of ['', '  ']) expect(changedOptions({ [key]: empty }, stored({ [key]: before }))).toEqual([]);
    expect(changedOptions({ [key]: 'x' }, stored({ [key]: before }))).toEqual([{ key, value: 'x' }]);
  }
});

test('saves a secret after its URL regardless of the typing order, and detects that changing the URL clears the secret', () => {
  const changed = changedOptions({ OidcClientSecret: 'x', OidcWellKnown: 'https://b.example' }, stored({}));
  expect(changed.map(({ key }) => key)).toEqual(['OidcWellKnown', 'OidcClientSecret']);
  expect(willBeCleared('OidcClientSecret', changed)).toBe(true);
  expect(willBeCleared('SMTPToken', changed)).toBe(false);
});

test('[S5.21] saves only changed options, and a cleared text as an empty value', () => {
  expect(changedOptions({ Footer: 'a', About: '' }, stored({ Footer: 'a', About: 'b' }))).toEqual([
    { key: 'About', value: '' },
  ]);
});

test.for(optionKeys)('[S5.22] does not save %s when its field shows the stored value', (key) => {
  for (const value of ['', '{}', '7', 'true', 'words']) {
    const before = stored({ [key]: value });
    expect(changedOptions({ [key]: displayedText(key, value) }, before)).toEqual([]);
    expect(changedOptions({}, before)).toEqual([]);
  }
});

test('reports which ratio option contains invalid JSON', () => {
  const wrong = [
    { key: 'ModelRatio', value: '{' },
    { key: 'GroupRatio', value: 'x' },
    { key: 'CompletionRatio', value: '{"a":}' },
  ] as const;
  expect(validateOptions(wrong)).toEqual({
    ModelRatio: { message: '{label} is not a valid JSON string', values: {} },
    GroupRatio: { message: '{label} is not a valid JSON string', values: {} },
    CompletionRatio: { message: '{label} is not a valid JSON string', values: {} },
  });
  expect(validateOptions([{ key: 'ModelRatio', value: '{"gpt-4o": -1}' }])).toHaveProperty('ModelRatio');
});
