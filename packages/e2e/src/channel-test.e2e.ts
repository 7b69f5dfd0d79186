import { channelApi, channelStatus } from '@headgate/contract';
import { reply, StubUpstream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel, removeAllChannels, sent } from './channels.ts';
import { asRoot, rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const fine = reply({ choices: [{ message: { content: 'Yes' } }], usage: { total_tokens: 3 } });
const refused = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

const customChannel = 8;

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

async function withUpstream(answer: UpstreamAnswer, work: (upstream: StubUpstream) => Promise<void>): Promise<void> {
  const upstream = await StubUpstream.start(answer);
  try {
    await work(upstream);
  } finally {
    await upstream.close();
  }
}

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('[S2.96 S7.44 S8.33 S9.28 S9.29 S3.36] a test tells the channel, the model and the seconds', async ({
  page,
  product,
}) => {
  await withUpstream(fine, async (upstream) => {
    const channel = await createChannel(product.url, {
      type: customChannel,
      base_url: upstream.url,
      models: 'gpt-4o,gpt-3.5-turbo',
    });
    const other = await createChannel(product.url, { type: customChannel, base_url: upstream.url });
    await page.goto('/channel');
    for (const [{ name, id }, model] of [
      [channel, 'gpt-3.5-turbo'],
      [other, 'gpt-4o'],
    ] as const) {
      const asked = sent(page, 'GET', `/api/channel/test/${id}`);
      await rowOf(page, name)
        .getByRole('button', { name: `Test: ${name}` })
        .click();
      expect(new URL((await asked).url()).searchParams.get('model')).toBe(model);
      await expect(
        page.getByText(new RegExp(`^Channel ${name} tested: ${model} answered in \\d+\\.\\d{2,} s$`)),
      ).toBeVisible();
      await expect(rowOf(page, name).getByText(/^\d\.\d{2,} s$/)).toBeVisible();
    }
    await page.getByRole('switch', { name: 'Details' }).click();
    await page.getByRole('combobox', { name: `Test model of ${channel.name}` }).selectOption('gpt-4o');
    await rowOf(page, channel.name)
      .getByRole('button', { name: `Test: ${channel.name}` })
      .click();
    await expect(page.getByText(`Channel ${channel.name} tested: gpt-4o`)).toBeVisible();
    expect(upstream.seen.map(({ body }) => body['model'])).toEqual(['gpt-3.5-turbo', 'gpt-4o', 'gpt-4o']);
  });
});

test('[S7.44] a server that calls the model by its other name is understood', async ({ page, product }) => {
  const { name, id } = await createChannel(product.url);
  await page.route(`**/api/channel/test/${id}?*`, (route) =>
    route.fulfill({ json: { success: true, message: '', time: 1.234, modelName: 'other-model' } }),
  );
  await page.goto(`/channel?keyword=${name}`);
  await page.getByRole('button', { name: `Test: ${name}` }).click();
  await expect(page.getByText(`Channel ${name} tested: other-model answered in 1.23 s`)).toBeVisible();
});

test('a failed test is an error with the reason, never a success of 0 s', async ({ page, product }) => {
  await withUpstream(refused, async (upstream) => {
    const { name } = await createChannel(product.url, { type: customChannel, base_url: upstream.url });
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('button', { name: `Test: ${name}` }).click();
    await expect(page.locator('[data-kind="error"]')).toContainText('Incorrect API key provided');
    await expect(page.locator('[data-kind="success"]')).toHaveCount(0);
    const row = rowOf(page, name);
    await expect(row).toContainText('Failed · 401 Incorrect API key provided · just now');
    await expect(row.getByText('Untested')).toHaveCount(0);
  });
});

test('a test under way shows', async ({ page, product }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow: UpstreamAnswer = async (response, request) => {
    await promise;
    await fine(response, request);
  };
  await withUpstream(slow, async (upstream) => {
    const { name } = await createChannel(product.url, { type: customChannel, base_url: upstream.url });
    await page.goto(`/channel?keyword=${name}`);
    await page.getByRole('button', { name: `Test: ${name}` }).click();
    await expect(rowOf(page, name).getByText('Testing')).toBeVisible();
    await expect(page.getByRole('button', { name: `Test: ${name}` })).toBeDisabled();
    resolve();
    await expect(rowOf(page, name).getByText(/^\d\.\d{2,} s$/)).toBeVisible();
  });
});

test('all channels, or the disabled ones, are tested in the background', async ({ page, product }) => {
  await removeAllChannels(product.url);
  await setOption(product.url, 'AutomaticDisableChannelEnabled', 'true');
  await setOption(product.url, 'AutomaticEnableChannelEnabled', 'true');
  await withUpstream(refused, async (upstream) => {
    const { name } = await createChannel(product.url, { type: customChannel, base_url: upstream.url });
    await page.goto('/channel');
    await test.step('[S2.101 S7.43] all', async () => {
      const asked = sent(page, 'GET', '/api/channel/test');
      await page.getByRole('button', { name: 'Test all' }).click();
      expect(new URL((await asked).url()).searchParams.get('scope')).toBe('all');
      await expect(page.getByText('1 channel tested, 1 failed')).toBeVisible();
      await expect(rowOf(page, name).getByText('Automatically disabled')).toBeVisible();
    });
    upstream.answer = fine;
    await test.step('[S2.102 S7.43] the disabled ones', async () => {
      const asked = sent(page, 'GET', '/api/channel/test');
      await page.getByRole('button', { name: 'More actions for all channels' }).click();
      await page.getByRole('menuitem', { name: 'Test disabled channels' }).click();
      expect(new URL((await asked).url()).searchParams.get('scope')).toBe('disabled');
      await expect(rowOf(page, name).getByText('Enabled', { exact: true })).toBeVisible();
    });
  });
});

test('[S2.104] a click brings what has changed meanwhile', async ({ page, product }) => {
  const { name, id } = await createChannel(product.url, { priority: 1 });
  await page.goto(`/channel?keyword=${name}`);
  const priority = page.getByLabel(`Priority of ${name}, higher is preferred`);
  await expect(priority).toHaveValue('1');
  const root = await asRoot(product.url);
  await root.call(channelApi.update, { body: { id, priority: 42 } });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(priority).toHaveValue('42');
});

test('[S2.103 S7.42 S8.32] the disabled channels are deleted after a question, and counted', async ({
  page,
  product,
}) => {
  await removeAllChannels(product.url);
  const root = await asRoot(product.url);
  const kept = await createChannel(product.url);
  for (const { id } of [await createChannel(product.url), await createChannel(product.url)])
    await root.call(channelApi.update, { body: { id, status: channelStatus.disabled } });
  await page.goto('/channel');
  await expect(page.getByRole('radio', { name: 'Manually disabled 2' })).toBeAttached();
  await page.getByRole('button', { name: 'More actions for all channels' }).click();
  await page.getByRole('menuitem', { name: 'Delete disabled channels' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('button', { name: 'More actions for all channels' }).click();
  await page.getByRole('menuitem', { name: 'Delete disabled channels' }).click();
  const request = sent(page, 'DELETE', '/api/channel/disabled');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete disabled channels' }).click();
  await request;
  await expect(page.getByText('All disabled channels deleted, 2 in total')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(rowOf(page, kept.name)).toBeVisible();
});
