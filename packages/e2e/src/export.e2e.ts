import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, startProduct, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

/** A month ends here. */
const newest = 1_790_000_000;

const linesOf = async (download: Download) => {
  const text = await readFile(await download.path(), 'utf8');
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
};

async function openLog(page: Page, address: string, isPhone: boolean): Promise<void> {
  await page.goto(address);
  if (isPhone) await page.getByRole('button', { name: 'Filters' }).click();
}

for (const [screen, viewport] of Object.entries(screens)) {
  const isPhone = viewport.width < 600;
  const start = (page: Page) => page.getByRole('button', { name: 'Export CSV' });

  test.describe(`exporting logs on ${screen}`, () => {
    test.use({ viewport });

    test('[A32.1] the file has exactly what the filters leave, with sums, and nothing that a spreadsheet computes', async ({
      page,
      product,
    }) => {
      const person = await createPerson(product.url);
      seedLogs(product, { owner: person, count: 2, newest, token: '=1+1' });
      seedLogs(product, { owner: person, count: 3, newest, token: 'other' });
      await signInAs(page, person);
      await openLog(page, '/log?token_name=%3D1%2B1', isPhone);
      const downloaded = page.waitForEvent('download');
      await start(page).click();
      const download = await downloaded;
      expect(download.suggestedFilename()).toMatch(/^logs-[\d-]+\.csv$/);
      const [head, ...lines] = await linesOf(download);
      expect(head).toMatch(/^Time,Type,Token,Model,Prompt tokens,Completion tokens,Points of quota,Quota in dollars,/);
      expect(lines).toHaveLength(4);
      expect(lines[0]).toMatch(/^2026-09-21 14:13:20,Consumption,'=1\+1,gpt-4o,40,15,100,0\.0002,/);
      expect(lines[1]).toMatch(/^2026-09-21 14:13:19,Consumption,'=1\+1,gpt-4o,40,15,101,0\.000202,/);
      expect(lines[2]).toMatch(/^Sum,Consumption,,,80,30,201,0\.000402,/);
      expect(lines[3]).toMatch(/^Covered,.*,2 of 2 rows$/);
      await expect(page.getByText('2 rows exported')).toBeVisible();
    });

    test('JSONL is offered too, by keyboard', async ({ page, product }) => {
      const person = await createPerson(product.url);
      seedLogs(product, { owner: person, count: 3, newest });
      await signInAs(page, person);
      await openLog(page, '/log?type=2', isPhone);
      await expect(start(page)).toBeEnabled();
      await page.getByRole('button', { name: 'Other formats' }).focus();
      await page.keyboard.press('Enter');
      const downloaded = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Export JSONL' }).press('Enter');
      const download = await downloaded;
      expect(download.suggestedFilename()).toMatch(/^logs-[\d-]+\.jsonl$/);
      const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
      expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(['id', 'id', 'id', 'complete']);
    });

    test('it can be cancelled, and goes on when the page is left', async ({ page, product }) => {
      const person = await createPerson(product.url);
      seedLogs(product, { owner: person, count: 230, newest });
      await signInAs(page, person);
      let release = () => {};
      let held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/api/log/self/export?*', async (route) => {
        await held;
        await route.continue().catch(() => undefined);
      });
      await openLog(page, '/log?type=2', isPhone);
      await start(page).click();
      await expect(page.getByText('Preparing the export…')).toBeVisible();
      await expect(start(page)).toBeDisabled();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByText('Preparing the export…')).toHaveCount(0);
      await expect(start(page)).toBeEnabled();
      release();
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await start(page).click();
      await expect(page.getByText('Preparing the export…')).toBeVisible();
      if (isPhone) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Tokens', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
      const downloaded = page.waitForEvent('download');
      release();
      expect(await linesOf(await downloaded)).toHaveLength(1 + 230 + 2);
      await expect(page.getByText('230 rows exported')).toBeVisible();
    });

    test('[A32.2] one that breaks off saves nothing and says so where it was started', async ({ page, product }) => {
      const person = await createPerson(product.url);
      seedLogs(product, { owner: person, count: 3, newest });
      await signInAs(page, person);
      // Some proxies end a broken answer as if it were whole.
      await page.route(
        '**/api/log/self/export?*',
        (route) =>
          route.fulfill({
            headers: {
              'content-type': 'text/csv',
              'content-disposition': 'attachment; filename="logs.csv"',
              'x-total-count': '3',
            },
            body: 'Time,Type\r\n1,2\r\n3,4\r\n',
          }),
        { times: 1 },
      );
      let downloads = 0;
      page.on('download', () => {
        downloads += 1;
      });
      await openLog(page, '/log?type=2', isPhone);
      await start(page).click();
      const alert = page.getByRole('alert').filter({ hasText: 'The export broke off. Nothing was saved.' });
      await expect(alert).toBeVisible();
      expect(downloads).toBe(0);
      const downloaded = page.waitForEvent('download');
      await alert.getByRole('button', { name: 'Try again' }).click();
      expect(await linesOf(await downloaded)).toHaveLength(1 + 3 + 2);
      await expect(alert).toHaveCount(0);
    });
  });
}

test('a long export shows its progress, and the page stays usable', async ({ page }) => {
  const product = await startProduct();
  const count = 100_000;
  try {
    const person = await createPerson(product.url);
    seedLogs(product, { owner: person, count, newest });
    await signInAs(page, rootAccount, product.url);
    await page.goto(`${product.url}/log?type=2`);
    await expect(page.getByText('1–10 of 100,000', { exact: true })).toBeVisible();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await expect(page.getByText(/^[\d,]+ of 100,000 rows$/)).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Export' })).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText('11–20 of 100,000', { exact: true })).toBeVisible();
    const lines = await linesOf(await downloaded);
    expect(lines).toHaveLength(1 + count + 2);
    const quota = Array.from({ length: count }, (_, n) => 100 + (n % 7)).reduce((sum, each) => sum + each, 0);
    expect(lines.at(-2)).toContain(`Sum,Consumption,,,,,${40 * count},${15 * count},${quota},`);
    expect(lines.at(-1)).toMatch(/,100000 of 100000 rows$/);
  } finally {
    await product.stop();
  }
});
