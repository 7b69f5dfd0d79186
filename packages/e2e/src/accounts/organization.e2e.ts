import { organizationApi, organizationTokenApi } from '@headgate/contract';
import { createSpender } from '@headgate/testkit';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { asRoot, createTestUser, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('two people share an organization: invitation, cap, project, token and usage', async ({
  page,
  browser,
  product,
}) => {
  const { person: member, group, model, close } = await createSpender(product.url);
  const owner = await createTestUser(product.url);
  const name = uniqueName('Acme');
  await signInAs(page, owner);
  await page.goto('/organization');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create organization' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const client = await signedInClient(product.url, owner);
  const [{ id = 0 } = {}] = await client.call(organizationApi.own);
  const root = await asRoot(product.url);
  await root.call(organizationApi.update, { body: { id, group } });
  await root.call(organizationApi.topUp, { params: { id }, body: { quota: 50_000_000 } });

  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  await expectAccessible(page, 'invite dialog', dialogSelector);
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.getByRole('dialog', { name: 'Invitation link' }).locator('pre').textContent()) ?? '';
  await page.keyboard.press('Escape');
  const guest = await (await browser.newContext({ baseURL: product.url })).newPage();
  await signInAs(guest, member, product.url);
  await guest.goto(new URL(link).pathname + new URL(link).hash);
  await guest.getByRole('button', { name: 'Accept' }).click();
  await expect(guest.getByText(`You are now a member of ${name}.`)).toBeVisible();

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: member.username });
  await row.getByRole('button', { name: /^Set cap/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^Amount/ })
    .fill('20');
  await page.getByRole('button', { name: 'Save cap' }).click();
  await expect(page.getByText('Budget saved')).toBeVisible();
  await expectAccessible(page, 'members');

  await page.getByRole('tab', { name: 'Projects' }).click();
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('search');
  await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click();
  await expect(page.locator('tbody').getByText('search')).toBeVisible();
  await expectAccessible(page, 'projects');

  await guest.goto('/organization?tab=tokens');
  // An empty list has a second link.
  await guest.getByRole('link', { name: 'Add token' }).first().click();
  await guest.getByRole('textbox', { name: 'Name' }).fill('notebook');
  await guest.getByRole('switch', { name: 'Unlimited quota' }).click();
  await guest.getByRole('combobox', { name: 'Project' }).click();
  await guest.getByRole('option', { name: 'search' }).click();
  await guest.getByRole('button', { name: 'Create token' }).click();
  await expect(guest.getByText('Token created. Connect a client:')).toBeVisible();
  const memberClient = await signedInClient(product.url, member);
  const [token] = await memberClient.call(organizationTokenApi.list, { params: { id }, query: {} });
  const params = { id, token: token?.id ?? 0 };
  const { key } = await memberClient.call(organizationTokenApi.get, { params });
  const response = await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status).toBe(200);

  await page.getByRole('tab', { name: 'Usage' }).click();
  await expect(page.getByRole('rowheader', { name: member.username })).toBeVisible();
  await expectAccessible(page, 'usage of an organization');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('$98.20')).toBeVisible();
  await expectAccessible(page, 'overview');
  await close();
});
