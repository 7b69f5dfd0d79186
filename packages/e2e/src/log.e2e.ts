import { createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

test('[S2.24 S2.161 S2.162 S2.163] filters the own logs, and shows their total and a cost breakdown', async ({
  page,
  product,
}) => {
  const person = await createPerson(product.url);
  const model = freshName('o3');
  const newest = Math.floor(Date.now() / 1000);
  seedLogs(product, { owner: person, count: 2, newest, model, token: 'laptop' });
  seedLogs(product, { owner: person, count: 1, newest, model: 'gpt-4o', token: 'server' });
  await signInAs(page, person);
  await page.goto('/log');
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Consumption');
  const rows = page.locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Token name').fill('lap');
  await page.getByRole('option', { name: 'laptop' }).click();
  await expect(page).toHaveURL('/log?type=2&token_name=laptop');
  await expect(rows).toHaveCount(2);
  const total = page.getByRole('group', { name: 'Total consumed quota' });
  await total.getByRole('button', { name: 'Click to view' }).click();
  await expect(total).toContainText('$0.000402');
  await rows
    .first()
    .getByRole('button', { name: /^How this was charged/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'How this was charged' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Token name: laptop/ }).click();
  await expect(rows).toHaveCount(3);
});

test('shows the filters in one row at 1280 pixels, and no token name is cut', async ({ page, product }) => {
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
