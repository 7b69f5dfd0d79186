import { role } from '@headgate/contract';
import { AlertReceivers } from '@headgate/testkit';
import { expectFine } from './looks.ts';
import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('a receiver is added, tested, told by a rule and seen in the history', async ({ page, product }) => {
  await using out = await AlertReceivers.start();
  await signInAs(page, rootAccount);
  await page.goto('/alerts');
  await expect(page.getByText('Nobody is told yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add rule' })).toBeDisabled();
  await expectFine(page, 'empty');

  await page.getByRole('button', { name: 'Add receiver' }).click();
  await page.getByLabel('Kind').selectOption('Telegram');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please fill this in').first()).toBeVisible();
  await expectFine(page, 'receiver-form');
  const settings = out.settings()['telegram'] ?? {};
  await page.getByLabel('Name').fill('Night shift');
  await page.getByLabel('Bot token').fill(settings['token'] ?? '');
  await page.getByLabel('Chat ID').fill('12');
  await page.getByLabel('Server address').fill(settings['address'] ?? '');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Receiver saved')).toBeVisible();

  await page.getByRole('button', { name: 'Send a test to Night shift' }).click();
  await expect(page.getByText('It was not taken: HTTP 400, ok false, Bad Request: chat not found')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Night shift' }).click();
  await expect(page.getByLabel('Bot token')).toHaveValue('');
  await page.getByLabel('Chat ID').fill('-100123');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Send a test to Night shift' }).click();
  await expect(page.getByText(/It arrived in \d+ ms: HTTP 200, ok true/)).toBeVisible();

  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('What happened').selectOption('Failure rate');
  await expectFine(page, 'rule-form');
  await page.getByLabel('What happened').selectOption('New admin');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('When somebody becomes an admin, tell Night shift')).toBeVisible();

  const { username } = await createPerson(product.url, { role: role.admin });
  await expect.poll(() => out.alerts.length).toBe(3);
  await page.reload();
  await expect(page.getByText(`${username} is an admin now`).first()).toBeVisible();
  await expect(page.locator('span').filter({ hasText: /^Sent$/ })).toBeVisible();
  await expectFine(page, 'full');

  await page.getByRole('switch', { name: 'New admin is on' }).press('Space');
  await expect(page.getByText('Rule saved')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Night shift' }).click();
  await page.getByRole('button', { name: 'Delete receiver' }).click();
  await expect(page.getByText('Its receivers were deleted')).toBeVisible();
  await page.evaluate(() => localStorage.setItem('language', 'zh'));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: '告警' })).toBeVisible();
  await expect(page.getByText('当有人成为管理员时')).toBeVisible();
  await expectFine(page, 'chinese');
});
