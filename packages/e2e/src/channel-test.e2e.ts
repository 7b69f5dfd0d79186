import { channelApi, channelStatus } from '@headgate/contract';
import { reply, StubUpstream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel, removeAllChannels, sent } from './channels.ts';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const fine = reply({ choices: [{ message: { content: 'Yes' } }], usage: { total_tokens: 3 } });

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

test('[S2.96 S7.44 S8.33 S9.28 S9.29 S3.36] reports channel, model and seconds of a test', async ({
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

test('[S2.103 S7.42 S8.32] deletes the disabled channels after a confirmation, and counts them', async ({
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
