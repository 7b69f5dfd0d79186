import { channelKeyApi, channelStatus, optionApi } from '@headgate/contract';
import { completion, reply, StubUpstream } from '@headgate/testkit';
import { createChannel } from './channels.ts';
import { expectFine } from './looks.ts';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const wrong = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

test('adds, tests, weighs, disables and removes the keys of a channel', async ({ page, product }) => {
  const upstream = await StubUpstream.start((response, request) => {
    const isWrong = request.headers['authorization']?.endsWith('-0003');
    return (isWrong ? wrong : completion())(response, request);
  });
  const root = await asRoot(product.url);
  await root.call(optionApi.update, { body: { key: 'AutomaticDisableChannelEnabled', value: 'true' } });
  const { id } = await createChannel(product.url, { type: 8, base_url: upstream.url, key: 'sk-account-0001' });
  await signInAs(page, rootAccount);
  await page.goto(`/channel/edit/${id}`);
  const keys = page.getByRole('region', { name: 'Keys' });
  await expect(keys.getByText('…0001')).toBeVisible();
  await keys.getByLabel('More keys').fill('sk-account-0002\nsk-account-0003\n\nsk-account-0001');
  await keys.getByRole('button', { name: 'Add 3 keys' }).click();
  await expect(page.getByText('2 keys added')).toBeVisible();
  await expect(page.getByText('1 key already there')).toBeVisible();
  await expect(keys.getByText('3 of 3 keys enabled')).toBeVisible();
  await expect(keys.getByLabel('More keys')).toHaveValue('');

  await keys.getByRole('button', { name: 'Test all keys' }).click();
  await expect(keys.getByText('2 of 3 keys enabled')).toBeVisible();
  await expect(keys.getByText('Automatically disabled')).toBeVisible();
  await expect(keys.getByText('401 Incorrect API key provided', { exact: false })).toBeVisible();
  await expect(keys.getByText(/Tested: .* answered in/)).toHaveCount(2);

  await keys.getByLabel('Weight of key …0002').fill('5');
  await keys.getByLabel('Weight of key …0002').press('Enter');
  await keys.getByLabel('Which key a request takes').selectOption('least_used');
  await keys.getByRole('button', { name: 'Disable key …0001' }).click();
  await expect(keys.getByText('1 of 3 keys enabled')).toBeVisible();
  await expect(keys.getByRole('button', { name: 'Enable key …0001' })).toBeVisible();

  await expectFine(page, 'keys');

  await keys.getByRole('button', { name: 'Remove the disabled ones (1)' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove keys' }).click();
  await expect(page.getByText('1 key removed')).toBeVisible();
  await keys.getByRole('button', { name: 'Remove key …0001' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove key' }).click();
  await expect(keys.getByText('1 of 1 key enabled')).toBeVisible();
  await expect(keys.getByRole('button', { name: 'Remove key …0002' })).toBeHidden();

  expect(await root.call(channelKeyApi.list, { params: { id } })).toMatchObject([
    { hint: '0002', weight: 5, status: channelStatus.enabled },
  ]);
  await page.reload();
  await expect(keys.getByLabel('Which key a request takes')).toHaveValue('least_used');
  await upstream.close();
});
