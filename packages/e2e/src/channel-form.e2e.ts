import { channelTypes } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { findChannel, sent } from './channels.ts';
import { freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('[S2.100 S3.30 S3.31 S3.33 S5.41 S7.38] creates a channel from the form that the list links to', async ({
  page,
  product,
}) => {
  const name = freshName('made');
  await page.goto('/channel');
  await page.getByRole('main').getByRole('link', { name: 'Add channel' }).first().click();
  await expect(page).toHaveURL('/channel/add');
  await expect(page.getByRole('heading', { level: 1, name: 'Add channel' })).toBeVisible();
  await field(page, 'Name').fill(name);
  await field(page, 'Key').fill(' sk-secret ');
  const groups = page.getByRole('combobox', { name: 'Groups' });
  const models = page.getByRole('combobox', { name: 'Offered models' });
  await groups.fill('vip');
  await groups.press('Enter');
  for (const model of ['gpt-4o', 'house-model']) {
    await models.fill(model);
    await models.press('Enter');
  }
  await field(page, 'Model mapping').fill('{"house-model": "gpt-4o"}');
  await field(page, 'System prompt').fill('Be brief.');
  await field(page, 'Proxy address').fill('https://relay.example/v0/');
  const request = sent(page, 'POST', '/api/channel/');
  await page.getByRole('button', { name: 'Create channel' }).click();
  expect((await request).postDataJSON()).toEqual({
    name,
    type: 1,
    key: 'sk-secret',
    base_url: 'https://relay.example/v0',
    other: '',
    config: '',
    models: 'gpt-4o,house-model',
    group: 'default,vip',
    model_mapping: '{"house-model": "gpt-4o"}',
    system_prompt: 'Be brief.',
  });
  await expect(page.getByText('Channel created')).toBeVisible();
  await expect(page).toHaveURL('/channel');
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  const stored = {
    models: 'gpt-4o,house-model',
    group: 'default,vip',
    base_url: 'https://relay.example/v0',
    key: '',
  };
  expect(await findChannel(product.url, name)).toMatchObject(stored);
});

test('[S3.58 S3.59] offers the types in their order, each with a mark in its color', async ({ page }) => {
  await page.goto('/channel/add');
  await page.getByRole('combobox', { name: 'Type' }).click();
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options).toHaveText(channelTypes.map(({ name }) => name));
  const drawn = await options.evaluateAll((elements) =>
    elements.map((element) => getComputedStyle(element.querySelector('[data-mark]') ?? element).color),
  );
  // The colors of the style sheet.
  const colours = channelTypes.map(({ color }) => (color === 'dark' ? 'dark-6' : `${color}-7`));
  const named = await page.evaluate(
    (names) =>
      names.map((name) => {
        const probe = document.createElement('i');
        probe.style.backgroundColor = `var(--mantine-color-${name})`;
        document.body.append(probe);
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        return backgroundColor;
      }),
    colours,
  );
  expect(drawn).toEqual(named);
  expect(new Set(drawn).size).toBeGreaterThan(8);
});
