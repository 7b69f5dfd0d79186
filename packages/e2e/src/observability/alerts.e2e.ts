import { alertApi, role } from '@headgate/contract';
import { AlertDestinations } from '@headgate/testkit';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { asRoot, createTestUser, rootAccount, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('shows destinations, rules, history and their forms and passes the accessibility checks', async ({
  page,
  product,
}) => {
  await using out = await AlertDestinations.start();
  const root = await asRoot(product.url);
  const { id } = await root.call(alertApi.addReceiver, {
    body: { name: 'Night shift', kind: 'telegram', settings: out.settings()['telegram'] ?? {} },
  });
  const rule = await root.call(alertApi.addRule, { body: { kind: 'new_admin', receivers: [id] } });
  const { username } = await createTestUser(product.url, { role: role.admin });
  await expect.poll(() => out.alerts.length).toBe(1);
  await signInAs(page, rootAccount);
  await page.goto('/alerts');
  await expect(page.getByText(`${username} is now an admin`).first()).toBeVisible();
  await page.getByRole('switch', { name: 'New admin enabled' }).press('Space');
  await expect(page.getByText('Rule saved')).toBeVisible();
  await expectAccessible(page, 'receivers, rules and history');

  await page.getByRole('button', { name: 'Add destination' }).click();
  await page.getByLabel('Type').selectOption('Telegram');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please fill this in').first()).toBeVisible();
  await expectAccessible(page, 'receiver form', dialogSelector);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Event').selectOption('Failure rate');
  await expectAccessible(page, 'rule form', dialogSelector);
  await root.call(alertApi.removeRule, { params: { id: rule.id } });
  await root.call(alertApi.removeReceiver, { params: { id } });
});
