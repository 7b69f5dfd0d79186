import { channelApi, channelTypes } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { horizontalScrollFaults } from '../support/accessibility.ts';
import { expectAccessibleDialog } from '../support/accessible-dialogs.ts';
import { createChannel, createManyChannels, mockChannelList } from '../support/channels.ts';
import { colorOf } from '../support/colors.ts';
import { asRoot, rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test.beforeEach(({ page }) => signInAs(page, rootAccount));

/** Checks the type list of the form: sorted names, and an icon with its color for each. */
async function expectTypes(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Type' }).click();
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options).toHaveText(channelTypes.map(({ name }) => name));
  const marks = options.locator('[data-mark]');
  await expect(marks).toHaveCount(channelTypes.length);
  await expect.poll(() => marks.locator('[style*="mask"]').count()).toBeGreaterThan(30);
  const drawn = await marks.evaluateAll((tiles) =>
    tiles.map((tile) => {
      const inner = tile.firstElementChild as HTMLElement;
      return { picture: inner.style.maskImage || inner.dataset['letters'], color: getComputedStyle(tile).color };
    }),
  );
  expect(new Set(drawn.map(({ picture }) => picture)).size).toBe(channelTypes.length);
  // Colors of the style sheet.
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
    channelTypes.map(({ color }) => (color === 'dark' ? 'dark-6' : `${color}-7`)),
  );
  expect(drawn.map(({ color }) => color)).toEqual(named);
  expect(new Set(named).size).toBeGreaterThan(8);
  await page.keyboard.press('Escape');
}

test('[S3.58 S3.59 S4.22 S4.23 S4.24 A52.10] shows types and response times in their colors, and requires confirmation on an edit conflict', async ({
  page,
  product,
}) => {
  const { id } = await createChannel(product.url);
  const times = [0, 1000, 1001, 3001, 5001];
  await mockChannelList(page, ...times.map((response_time, index) => ({ id, name: `c${index}`, response_time })));
  await page.goto('/channel');
  const rowOf = (index: number) => page.getByRole('row').filter({ hasText: `c${index}` });
  for (const [index, color] of ['gray', 'green', 'olive', 'yellow', 'red'].entries())
    expect(await rowOf(index).locator('td').nth(6).locator('[data-color]').evaluate(colorOf), color).toBe(color);
  await rowOf(0).getByRole('link', { name: 'c0' }).hover();
  await expect(page.getByRole('tooltip', { name: 'gpt-4o' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('listitem').filter({ hasText: 'c4' })).toBeVisible();
  expect(await horizontalScrollFaults(page, 'the channels')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('main').getByRole('link', { name: 'Add channel' }).first().click();
  const address = await page.getByLabel('Base URL').boundingBox();
  const fetching = await page.getByRole('button', { name: 'Fetch models' }).boundingBox();
  expect(address?.y).toBeLessThan(fetching?.y ?? 0);
  await expectTypes(page);
  await page.goBack();

  await page.goto(`/channel/edit/${id}`);
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill('Mine');
  await (await asRoot(product.url)).call(channelApi.update, { body: { id, system_prompt: 'Be brief' } });
  await page.getByRole('button', { name: 'Save channel' }).click();
  const question = page.getByRole('dialog', { name: 'Conflicting changes' });
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await expectAccessibleDialog(page);
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(field).toHaveValue('Mine');
});

test.describe('channel list on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('starts the list in the upper third of the screen, expands filters on demand, and replaces the add button with the selection bar', async ({
    page,
    product,
  }) => {
    const name = await createManyChannels(product.url, 3);
    await page.addInitScript(() => localStorage.setItem('prompt-detail', 'true'));
    await page.goto(`/channel?keyword=${name}`);
    const card = page.getByRole('listitem').filter({ hasText: `${name} 3` });
    await expect(card).toBeVisible();
    expect((await card.boundingBox())?.y).toBeLessThan(844 / 3);
    await expect(page.getByRole('button', { name: 'Test all' })).toBeInViewport();
    const group = page.getByRole('combobox', { name: 'Group' });
    await expect(group).toHaveCount(0);
    const filters = page.getByRole('button', { name: 'Filters' });
    await filters.press('Enter');
    await expect(filters).toHaveAttribute('aria-expanded', 'true');
    await group.click();
    await page.getByRole('option', { name: 'default', exact: true }).click();
    await expect(page).toHaveURL(/group=default/);
    await expect(page.getByRole('switch', { name: 'Details' })).toBeVisible();
    await filters.press('Enter');
    await expect(group).toHaveCount(0);
    await expect(card).toBeVisible();

    const add = page.getByRole('link', { name: 'Add channel' });
    await expect(add).toBeInViewport({ ratio: 1 });
    await page.getByRole('checkbox', { name: `Select ${name} 1`, exact: true }).click();
    await expect(page.getByRole('toolbar')).toBeVisible();
    await expect(add).toBeHidden();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await expect(add).toBeVisible();
  });
});
