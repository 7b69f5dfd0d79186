import { optionKeys, type StoredOption } from '@headgate/contract';
import { expect, test } from 'vitest';
import { changedOptions, isForgotten, mistakesIn, shownText } from './option-draft.ts';

const stored = (values: Record<string, string>): ReadonlyMap<string, StoredOption> =>
  new Map(Object.entries(values).map(([key, value]) => [key, { key, value }]));

test('[S5.18] an empty ratio object is shown as empty, and an emptied box is sent as one', () => {
  expect(shownText('ModelRatio', '{}')).toBe('');
  expect(changedOptions({ ModelRatio: '' }, stored({ ModelRatio: '{}' }))).toEqual([]);
  expect(changedOptions({ ModelRatio: ' ' }, stored({ ModelRatio: '{"a":1}' }))).toEqual([
    { key: 'ModelRatio', value: '{}' },
  ]);
});

test('[S5.19] the SMTP port is saved only when filled', () => {
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
] as const)('[S5.20] %s is saved only when filled', (key) => {
  // The server does not show a stored secret: to the form it looks empty.
  for (const before of ['', 'as-stored']) {
    for (const empty of ['', '  ']) expect(changedOptions({ [key]: empty }, stored({ [key]: before }))).toEqual([]);
    expect(changedOptions({ [key]: 'x' }, stored({ [key]: before }))).toEqual([{ key, value: 'x' }]);
  }
});

test('a secret is saved after its address, whichever was typed first, and is known to be forgotten with it', () => {
  const changed = changedOptions({ OidcClientSecret: 'x', OidcWellKnown: 'https://b.example' }, stored({}));
  expect(changed.map(({ key }) => key)).toEqual(['OidcWellKnown', 'OidcClientSecret']);
  expect(isForgotten('OidcClientSecret', changed)).toBe(true);
  expect(isForgotten('SMTPToken', changed)).toBe(false);
});

test('[S5.21] only what changed is saved; other texts may be cleared', () => {
  expect(changedOptions({ Footer: 'a', About: '' }, stored({ Footer: 'a', About: 'b' }))).toEqual([
    { key: 'About', value: '' },
  ]);
});

test.for(optionKeys)('[S5.22] %s is not saved when its field shows what is stored', (key) => {
  for (const value of ['', '{}', '7', 'true', 'words']) {
    const before = stored({ [key]: value });
    expect(changedOptions({ [key]: shownText(key, value) }, before)).toEqual([]);
    expect(changedOptions({}, before)).toEqual([]);
  }
});

test('ratios that are no JSON are named', () => {
  const wrong = [
    { key: 'ModelRatio', value: '{' },
    { key: 'GroupRatio', value: 'x' },
    { key: 'CompletionRatio', value: '{"a":}' },
  ] as const;
  expect(mistakesIn(wrong)).toEqual({
    ModelRatio: { words: '{label} is not a valid JSON string', values: {} },
    GroupRatio: { words: '{label} is not a valid JSON string', values: {} },
    CompletionRatio: { words: '{label} is not a valid JSON string', values: {} },
  });
  expect(mistakesIn([{ key: 'ModelRatio', value: '{"gpt-4o": -1}' }])).toHaveProperty('ModelRatio');
});
