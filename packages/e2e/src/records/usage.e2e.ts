import { readFile } from 'node:fs/promises';
import { createTestUser, rootAccount, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { seedLogs } from '../support/seed-logs.ts';

test('exports usage, hides models in the chart, shows only one of them, and links a bar to its logs', async ({
  page,
  product,
}) => {
  const owner = await createTestUser(product.url, { quota: 1_000_000 });
  const model = uniqueName('often');
  const rare = uniqueName('rare');
  const newest = Math.floor(Date.now() / 1000);
  seedLogs(product, { owner, count: 20, newest, model });
  seedLogs(product, { owner, count: 2, newest, model: rare });
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
  const crosshair = page.getByRole('slider', { name: 'Spend' });
  await crosshair.press('End');
  const tooltip = page.locator('[data-chart-tooltip]');
  await expect(tooltip).toContainText(model);
  await expect(tooltip).toContainText(rare);
  await page.getByRole('button', { name: rare, pressed: true }).click();
  await crosshair.press('End');
  await expect(tooltip).not.toContainText(rare);
  // A double click shows only this model; another one, or Enter with Ctrl, shows all again.
  const legend = page.getByRole('region', { name: 'Usage chart' });
  const shown = (isShown: boolean) => legend.getByRole('button', { pressed: isShown });
  await shown(false).dblclick();
  await expect(shown(true)).toHaveText(rare);
  await shown(true).dblclick();
  await expect(shown(true)).toHaveCount(2);
  await shown(true).first().press('Control+Enter');
  await expect(shown(true)).toHaveText(model);
  await shown(true).press('Control+Enter');
  await expect(shown(true)).toHaveCount(2);
  await page.locator('[data-bar]').first().click();
  await expect(page).toHaveURL(new RegExp(`/log\\?.*model_name=${model}`));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('20');
});
