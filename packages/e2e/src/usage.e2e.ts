import { readFile } from 'node:fs/promises';
import { usageApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { asRoot, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

const table = (page: Page) => page.getByRole('region', { name: 'Usage as a table' });
const choose = (page: Page, name: string, words: string) =>
  page.getByRole('combobox', { name, exact: true }).selectOption(words);

/** Somebody who has used two models today. */
async function spender(product: Product) {
  const owner = await createPerson(product.url, { quota: 1_000_000 });
  const [often, rarely] = [freshName('often'), freshName('rarely')];
  const newest = Math.floor(Date.now() / 1000);
  seedLogs(product, { owner, count: 20, newest, model: often });
  seedLogs(product, { owner, count: 5, newest, model: rarely });
  return { owner, often, rarely };
}

for (const [screen, viewport] of Object.entries(screens)) {
  test.describe(`usage on ${screen}`, () => {
    test.use({ viewport });

    test('is shown by the rows and columns chosen, all in the address, and a cell leads to its logs', async ({
      page,
      product,
    }) => {
      const { owner, often, rarely } = await spender(product);
      await signInAs(page, rootAccount);
      await page.goto(`/usage?username=${owner.username}&range=today`);
      // What is chosen is one line of a phone, and what is set unfolds from it.
      const fold = page.getByRole('button', { name: 'Spend · Model by day' });
      const isPhone = viewport.width < 600;
      await expect(page.getByRole('combobox', { name: 'Columns' })).toHaveCount(isPhone ? 0 : 1);
      if (isPhone) await fold.press('Enter');
      await choose(page, 'Columns', 'None: all measures');
      await expect(page.getByRole('button', { name: 'All measures by model' })).toHaveCount(isPhone ? 1 : 0);
      const row = table(page).getByRole('row', { name: often });
      await expect(row.getByRole('cell').first()).toHaveText('20');
      await expect(table(page).getByRole('row', { name: rarely }).getByRole('cell').first()).toHaveText('5');
      await expect(page).toHaveURL(/columns=none/);
      await page.reload();
      await row.getByRole('link', { name: '20', exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/log\\?.*model_name=${often}`));
      await expect(page.getByRole('heading', { level: 1 })).toContainText('20');
    });

    test('a bar leads to its logs', async ({ page, product }) => {
      const { owner, often } = await spender(product);
      await signInAs(page, rootAccount);
      await page.goto(`/usage?username=${owner.username}&range=today`);
      await page.locator('.recharts-bar-rectangle path').first().click();
      await expect(page).toHaveURL(new RegExp(`/log\\?.*model_name=${often}`));
      await expect(page.getByRole('heading', { level: 1 })).toContainText('20');
    });

    test('a user sees the own usage; what is shown is saved as a file', async ({ page, product }) => {
      const { owner, often } = await spender(product);
      await signInAs(page, owner);
      await page.goto('/usage?range=today&columns=none');
      await expect(table(page).getByRole('row', { name: often })).toBeVisible();
      if (viewport.width < 600) await page.getByRole('button', { name: 'All measures by model' }).click();
      await expect(page.getByRole('combobox', { name: 'Rows' }).locator('option')).not.toContainText([
        'User',
        'Channel',
      ]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
      expect(lines[0]).toContain('Model,Requests,Failures,Spend');
      expect(lines[1]).toContain(`${often},20,0,`);
    });

    test('a time without usage is told apart from one before the first log', async ({ page }) => {
      // Of its own: others log what is older than the days shown.
      const product = await startProduct();
      try {
        const { owner } = await spender(product);
        await signInAs(page, owner, product.url);
        await page.goto(`${product.url}/usage?model_name=nobody-asked-for-it`);
        await expect(page.getByText('Nothing was used in this time')).toBeVisible();
        await page.getByRole('button', { name: 'Remove the filter Model' }).click();
        await expect(table(page)).toBeVisible();
        await expect(table(page).getByText('No data').first()).toBeAttached();
      } finally {
        await product.stop();
      }
    });
  });
}

test('what the table shows is what the API adds up', async ({ page, product }) => {
  const { owner } = await spender(product);
  const root = await asRoot(product.url);
  const usage = await root.call(usageApi.read, { query: { username: owner.username, rows: 'model' } });
  expect(usage.total.requests).toBe(25);
  await signInAs(page, rootAccount);
  await page.goto(`/usage?username=${owner.username}&columns=none`);
  await expect(table(page).getByRole('row', { name: 'Total' }).getByRole('cell').first()).toHaveText('25');
});

test.describe('far from Greenwich', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' });

  test('the file has every cell of the table and no other, and the days of its reader in its name', async ({
    page,
    product,
  }) => {
    const { owner } = await spender(product);
    await signInAs(page, owner);
    await page.goto('/usage?range=7d&columns=day&measure=requests');
    await expect(table(page).getByRole('row', { name: /^Total/ })).toBeVisible();
    const shown = await table(page)
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('th, td')].map((cell) =>
            (cell.textContent ?? '').replace(/^–.*/, '').replaceAll(',', ''),
          ),
        ),
      );
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const text = (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').trimEnd();
    expect(text.split('\r\n').map((line) => line.split(','))).toEqual(shown);
    const days = await page.evaluate(() => {
      const today = new Date();
      const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 6);
      return [first, today].map((day) => day.toLocaleDateString('sv'));
    });
    expect(file.suggestedFilename()).toBe(`usage-${days.join('-')}.csv`);
  });
});

test('[A46.7] a browser that does not know its time zone sees its usage in UTC', async ({ page, product }) => {
  const { owner, often } = await spender(product);
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' };
    };
  });
  await signInAs(page, rootAccount);
  const asked = page.waitForRequest((request) => request.url().includes('/api/usage?'));
  await page.goto(`/usage?username=${owner.username}&range=7d`);
  expect(new URL((await asked).url()).searchParams.get('zone')).toBe('UTC');
  await expect(table(page).getByRole('row', { name: often })).toBeVisible();
});
