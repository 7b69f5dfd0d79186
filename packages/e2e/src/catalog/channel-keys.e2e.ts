import { circuitBreakerApi, tokenApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import { expectAccessible } from '../support/accessibility.ts';
import { createChannel } from '../support/channels.ts';
import { asRoot, rootAccount, setOption, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const wrongKey = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
const modelNotFound = reply({ error: { message: 'The model does not exist', code: 'model_not_found' } }, 404);

test('shows the keys and paused models of a channel and passes the accessibility checks', async ({ page, product }) => {
  const upstream = await StubUpstream.start(modelNotFound);
  const root = await asRoot(product.url);
  await setOption(product.url, 'AutomaticDisableChannelEnabled', 'true');
  await setOption(product.url, 'ModelGoneRule', '1 of 1');
  const model = uniqueName('lost');
  const fields = { type: 8, base_url: upstream.url, key: 'sk-account-0001' };
  const { id } = await createChannel(product.url, { ...fields, models: `${model},gpt-4o` });
  const { key } = await root.call(tokenApi.create, { body: { name: model, unlimited_quota: true } });
  await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await expect.poll(() => root.call(circuitBreakerApi.list, { params: { id } })).toHaveLength(1);
  upstream.handler = wrongKey;
  await signInAs(page, rootAccount);
  await page.goto(`/channel/edit/${id}`);
  await expect(page.getByRole('region', { name: 'Paused models' }).getByText(model)).toBeVisible();
  const keys = page.getByRole('region', { name: 'Keys' });
  await keys.getByLabel('New keys').fill('sk-account-0002\nsk-account-0003');
  await keys.getByRole('button', { name: 'Add 2 keys' }).click();
  await expect(keys.getByText('3 of 3 keys enabled')).toBeVisible();
  await keys.getByRole('button', { name: 'Test all keys' }).click();
  await expect(keys.getByText('401 Incorrect API key provided').first()).toBeVisible();
  await expect(keys.getByText('Automatically disabled').first()).toBeVisible();
  await expectAccessible(page, 'keys and paused models');
  await setOption(product.url, 'ModelGoneRule', '3 of 5');
  await setOption(product.url, 'AutomaticDisableChannelEnabled', 'false');
  await upstream.close();
});
