import { channelApi, channelPreviewApi, optionApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

// biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
const rule = (name: string, action: object) => ({ name, then: [action] });

const app = await useTestApp();
const fixture = await relayFixture(app, {
  upstreams: [completion()],
  channel: {
    type: 1,
    tag: 'eu',
    rules: JSON.stringify([rule('own', { do: 'default', path: 'top_k', value: 2 })]),
  },
});
afterAll(() => fixture.close());

const setTagRules = (rules: object) =>
  fixture.admin.call(optionApi.update, { body: { key: 'TagRules', value: JSON.stringify(rules) } });
const lastRequest = () => fixture.upstreams[0]?.received.at(-1);

test('rules of a tag are applied before the rules of its channels, from the next request on', async () => {
  await setTagRules({
    eu: [
      rule('of the tag', { do: 'set', path: 'top_k', value: 1 }),
      rule('region', { do: 'set_header', header: 'x-region', value: 'eu' }),
    ],
    us: [rule('elsewhere', { do: 'reject', message: 'no' })],
  });
  expect((await fixture.chat()).status).toBe(200);
  expect(lastRequest()?.body).toMatchObject({ top_k: 1 });
  expect(lastRequest()?.headers['x-region']).toBe('eu');
  const { logs } = await fixture.books();
  expect(JSON.parse(String(logs.at(-1)?.detail))).toMatchObject({ rules: ['of the tag', 'region', 'own'] });

  await setTagRules({});
  expect((await fixture.chat()).status).toBe(200);
  expect(lastRequest()?.body).toMatchObject({ top_k: 2 });
  expect(lastRequest()?.headers['x-region']).toBeUndefined();
});

test('the preview of a channel shows the rules of its tag', async () => {
  await setTagRules({ eu: [rule('of the tag', { do: 'set', path: 'top_k', value: 1 })] });
  const [channel] = await fixture.admin.call(channelApi.search, { query: { keyword: fixture.group } });
  const preview = await fixture.admin.call(channelPreviewApi.show, {
    params: { id: channel?.id ?? 0 },
    body: { rules: '' },
  });
  expect(preview.rules).toEqual(['of the tag']);
});

test.each([
  ['an invalid rule', { eu: [rule('r', { do: 'set', path: 'model', value: 'x' })] }, 'eu, 0.then.0.path'],
  ['a header with a credential', { eu: [rule('r', { do: 'set_header', header: 'x-token', value: 'abc' })] }, 'credent'],
  ['an invalid tag', { ' eu': [] }, 'The tag is invalid'],
])('rejects %s', async (_, rules, message) => {
  await expect(setTagRules(rules)).rejects.toThrow(message);
});
