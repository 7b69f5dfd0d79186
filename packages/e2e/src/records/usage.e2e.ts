import { readFile } from 'node:fs/promises';
import { createTestUser, rootAccount, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { seedLogs } from '../support/seed-logs.ts';

test('exports usage, and links a chart bar to its logs', async ({ page, product }) => {
  const owner = await createTestUser(product.url, { quota: 1_000_000 });
  const model = uniqueName('often');
  seedLogs(product, { owner, count: 20, newest: Math.floor(Date.now() / 1000), model });
  await signInAs(page, rootAccount);
  await page.goto(`/usage?username=${owner.username}&range=today`);
  const table = page.getByRole('region', { name: 'Usage table' });
  await expect(table.getByRole('row', { name: model })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^usage-[\d-]+\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain(model);
  await page.locator('.recharts-bar-rectangle path').first().click();
  await expect(page).toHaveURL(new RegExp(`/log\\?.*model_name=${model}`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('20');
});
