import { channelApi, role, routingApi } from '@headgate/contract';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { asRoot, createTestUser, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';
import { fillAndLeave } from '../support/steps.ts';

test('creates and tests a routing rule', async ({ page, product }) => {
  const root = await asRoot(product.url);
  const group = uniqueName('group');
  const fields = { type: 8, key: 'k', base_url: 'http://127.0.0.1:9', group };
  await root.call(channelApi.create, { body: { ...fields, name: `${group} one`, models: 'gpt-4o' } });
  await root.call(channelApi.create, { body: { ...fields, name: `${group} two`, models: 'gpt-4.1' } });
  await signInAs(page, await createTestUser(product.url, { role: role.admin }));
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Models' }).click();
  await page.getByRole('link', { name: 'Routing', exact: true }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add rule' });
  await fillAndLeave(dialog.getByRole('combobox', { name: 'Group' }), group);
  await fillAndLeave(dialog.getByRole('combobox', { name: 'Model', exact: true }), 'gpt-4o*');
  await dialog.getByRole('combobox', { name: 'Fallback models' }).fill('gpt-4.1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expectAccessible(page, 'rule dialog', dialogSelector);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Rule saved')).toBeVisible();

  const trial = page.getByRole('region', { name: 'Test routing' });
  await fillAndLeave(trial.getByRole('combobox', { name: 'Group' }), group);
  await fillAndLeave(trial.getByRole('combobox', { name: 'Model' }), 'gpt-4o');
  await trial.getByRole('button', { name: 'Preview route' }).click();
  await expect(trial.getByText('Falls back to gpt-4.1')).toBeVisible();
  await expectAccessible(page, 'routing');
  for (const { id } of (await root.call(routingApi.rules)).filter((rule) => rule.group === group))
    await root.call(routingApi.removeRule, { params: { id } });
});
