import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

test('at 1280 the filters of the log are one row, and no name of a token is cut', async ({ page, product }) => {
  const person = await createPerson(product.url, { username: 'grace-hopper' });
  seedLogs(product, {
    owner: person,
    count: 3,
    newest: 1_790_000_000,
    model: 'claude-sonnet-4-5',
    token: 'ci-pipeline',
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAs(page, rootAccount);
  await page.goto('/log?type=2&username=grace-hopper');
  const table = page.getByRole('table');
  await expect(table.getByText('ci-pipeline').first()).toBeVisible();
  // Title, one row of filters, one of chips.
  expect((await table.boundingBox())?.y).toBeLessThan(170);
  const isCut = await table.getByText('ci-pipeline').evaluateAll((names) =>
    names.some((name) => {
      const cell = name.closest('td');
      if (cell === null) return true;
      const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
      return name.getBoundingClientRect().right > end;
    }),
  );
  expect(isCut).toBe(false);
});

test('what is hidden among the filters is counted, told by chips and found by keyboard', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/log?group=vip&token_name=ci&model_name=o3');
  const filters = page.getByRole('button', { name: 'Filters 2', exact: true });
  await expect(filters).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByLabel('Model name')).toHaveValue('o3');
  await expect(page.getByLabel('Group')).toHaveCount(0);
  await filters.press('Enter');
  await expect(filters).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByLabel('Group')).toHaveValue('vip');
  await page.getByRole('button', { name: 'Group: vip' }).click();
  await expect(page.getByRole('button', { name: 'Filters 1', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/log?token_name=ci&model_name=o3');
});

test('a text that cannot be read does not fold away', async ({ page }) => {
  await signInAs(page, rootAccount);
  await page.goto('/log');
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  await filters.click();
  await page.getByLabel('Start time').fill('last week');
  await filters.click();
  await expect(page.getByLabel('Start time')).toHaveCount(0);
  await page.getByRole('button', { name: 'Query' }).click();
  await expect(page.getByLabel('Start time')).toHaveAttribute('aria-invalid', 'true');
});
