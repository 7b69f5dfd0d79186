import { channelApi, redemptionApi, userApi } from '@headgate/contract';
import { createChannel } from './channels.ts';
import { asRoot, createPerson, freshName, rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`on ${screen}`, () => {
    test.use({ viewport });

    test('the form of a channel leads to what was changed of it, from what to what, by whom and from where', async ({
      page,
      product,
    }) => {
      const root = await asRoot(product.url);
      const { id, name } = await createChannel(product.url, { key: 'sk-secret' });
      await root.call(channelApi.update, { body: { id, priority: 7, key: 'sk-other' } });
      await signInAs(page, rootAccount);
      await page.goto(`/channel/edit/${id}`);
      await page.getByRole('link', { name: 'History of changes' }).click();
      await expect(page).toHaveURL(`/log?type=3&channel=${id}`);
      const rows = page.locator('main tbody tr, main ul:not([aria-label]) > li');
      await expect(rows).toHaveCount(2);
      await expect(rows.first()).toContainText(`root changed channel ${name} (#${id}): key; priority 0 → 7`);
      await expect(rows.first()).toContainText('from 127.0.0.1');
      await expect(page.getByText('sk-other')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    });
  });

test('the form of a user leads to the changes of that user, and the log narrows to changes alone', async ({
  page,
  product,
}) => {
  const person = await createPerson(product.url);
  const root = await asRoot(product.url);
  await root.call(userApi.update, { body: { id: person.id, group: 'vip' } });
  await signInAs(page, rootAccount);
  await page.goto(`/user/edit/${person.id}`);
  await page.getByRole('link', { name: 'History of changes' }).click();
  const rows = page.locator('main tbody tr');
  const words = `root changed the group of ${person.username} from default to vip`;
  await expect(rows.filter({ hasText: words })).toHaveCount(1);
  await page.goto('/log');
  await page.getByRole('button', { name: 'Changes only' }).click();
  await expect(page).toHaveURL('/log?type=3');
  await expect(rows.filter({ hasText: words })).toHaveCount(1);
  await page.getByRole('button', { name: 'Changes only' }).click();
  await expect(page).toHaveURL('/log');
});

test('the form of a redemption code leads to what became of it, and a chip says so', async ({ page, product }) => {
  const root = await asRoot(product.url);
  const name = freshName('code');
  await root.call(redemptionApi.create, { body: { name, quota: 500_000, count: 2 } });
  const [code, other] = await root.call(redemptionApi.list, { query: { size: 2 } });
  const id = code?.id ?? 0;
  for (const each of [id, other?.id ?? 0])
    await root.call(redemptionApi.update, { query: {}, body: { id: each, name: `${name}-b` } });
  await signInAs(page, rootAccount);
  await page.goto(`/redemption/edit/${id}`);
  await page.getByRole('link', { name: 'History of changes' }).click();
  await expect(page.locator('main tbody tr')).toHaveCount(1);
  await expect(page.locator('main tbody tr')).toContainText(`root changed code ${id}: name ${name} → ${name}-b`);
  await page.getByRole('button', { name: `Changes of: Redemption code #${id}` }).click();
  await expect(page).toHaveURL('/log');
});

test('each section of the settings leads to what was changed in it', async ({ page, product }) => {
  const [sender, shop] = [`${freshName('mail')}@example.com`, `https://${freshName('shop')}.example.com`];
  await setOption(product.url, 'SMTPFrom', sender);
  await setOption(product.url, 'TopUpLink', shop);
  await signInAs(page, rootAccount);
  await page.goto('/setting?tab=system');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'SMTP' }) });
  await section.getByRole('link', { name: 'History of changes' }).click();
  await expect(page.getByRole('button', { name: 'Changes of: Settings · SMTP' })).toBeVisible();
  await expect(page.getByText(sender).first()).toBeVisible();
  await expect(page.getByText(shop)).toHaveCount(0);
});
