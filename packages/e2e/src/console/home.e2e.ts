import { channelApi } from '@headgate/contract';
import { horizontalScrollFaults } from '../support/accessibility.ts';
import { expectAccessibleDialog } from '../support/accessible-dialogs.ts';
import { createManyChannels, removeAllChannels } from '../support/channels.ts';
import { asRoot, createTestUser, rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { seedLogs } from '../support/seed-logs.ts';
import { Steps } from '../support/steps.ts';

const channelCount = 40;

test('loads the timeline after the key metrics, and adds a model to forty channels in three steps on a phone', async ({
  page,
  product,
}) => {
  await removeAllChannels(product.url);
  await createManyChannels(product.url, channelCount);
  const owner = await createTestUser(product.url);
  seedLogs(product, { owner, count: 3, newest: Math.floor(Date.now() / 1000) });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await signInAs(page, rootAccount);
  await page.goto('/');
  const bars = page.getByRole('region', { name: 'Over time' }).locator('[data-bar]');
  await expect(bars.last()).toBeVisible();
  const chart = requested.findIndex((path) => /\/chart-[\w-]{8}\.js$/.test(path));
  expect(chart).toBeGreaterThan(requested.indexOf('/api/home'));
  await page.getByText('7 days', { exact: true }).click();
  await expect(page).toHaveURL('/?range=7d');
  await page.getByRole('main').getByText('Requests', { exact: true }).locator('..').getByRole('link').click();
  await expect(page.getByRole('region', { name: 'Usage table' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/?range=7d');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(bars.last()).toBeVisible();
  expect(await horizontalScrollFaults(page, 'home')).toEqual([]);

  const steps = new Steps(page);
  await steps.click(page.getByRole('button', { name: 'Go to…' }));
  const palette = page.getByRole('combobox', { name: 'Search or run a command' });
  await expect(palette).toBeFocused();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessibleDialog(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await horizontalScrollFaults(page, 'the palette')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await steps.type(palette, 'openai');
  await steps.click(page.getByRole('option', { name: 'Edit models of all OpenAI channels', exact: true }));
  await steps.type(page.getByRole('dialog').getByLabel('Models', { exact: true }), 'gpt-5,');
  await steps.click(page.getByRole('button', { name: `Change ${channelCount} channels` }));
  await expect(page.getByText(`${channelCount} changed`)).toBeVisible();
  steps.expectAtMost(3);
  const query = { size: 100, model: 'gpt-5' };
  expect(await (await asRoot(product.url)).call(channelApi.list, { query })).toHaveLength(channelCount);
});
