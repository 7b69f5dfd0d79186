import { channelPauseApi, optionApi, tokenApi } from '@headgate/contract';
import { completion, reply, StubUpstream } from '@headgate/testkit';
import { createChannel } from './channels.ts';
import { expectFine } from './looks.ts';
import { asRoot, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('shows why a model is paused, tests it, and uses it again', async ({ page, product }) => {
  const gone = reply({ error: { message: 'The model does not exist', code: 'model_not_found' } }, 404);
  const upstream = await StubUpstream.start(gone);
  const root = await asRoot(product.url);
  for (const [key, value] of [
    ['AutomaticDisableChannelEnabled', 'true'],
    ['ModelGoneRule', '1 of 1'],
  ] as const)
    await root.call(optionApi.update, { body: { key, value } });
  const model = freshName('lost');
  const { id } = await createChannel(product.url, { type: 8, base_url: upstream.url, models: model });
  const { key } = await root.call(tokenApi.create, { body: { name: model, unlimited_quota: true } });
  const ask = () =>
    fetch(`${product.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    });
  const paused = () => root.call(channelPauseApi.list, { params: { id } });
  await ask();
  await expect.poll(async () => (await paused()).length).toBe(1);
  await signInAs(page, rootAccount);
  await page.goto('/channel');
  await expect(page.getByText('1 model paused').first()).toBeVisible();
  await page.goto(`/channel/edit/${id}`);
  const pauses = page.getByRole('region', { name: 'Paused models' });
  await expect(pauses.getByText(model)).toBeVisible();
  await expect(pauses.getByText('404 The model does not exist')).toBeVisible();
  await expect(pauses.getByText(/^Next test /)).toBeVisible();
  await expectFine(page, 'paused models');
  await pauses.getByRole('button', { name: `Test now: ${model}` }).click();
  await expect(page.getByText('It still fails: The model does not exist')).toBeVisible();
  await expect(pauses.getByText('1 test failed', { exact: false })).toBeVisible();
  upstream.answer = completion();
  await pauses.getByRole('button', { name: `Use again: ${model}` }).click();
  await expect(page.getByText('It is used again')).toBeVisible();
  await expect(pauses).toBeHidden();
  expect(await paused()).toEqual([]);
  await root.call(optionApi.update, { body: { key: 'ModelGoneRule', value: '3 of 5' } });
  await upstream.close();
});
