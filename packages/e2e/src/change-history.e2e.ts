import { channelApi, userApi } from '@headgate/contract';
import { createChannel } from './channels.ts';
import { asRoot, createPerson, rootAccount, signInAs } from './people.ts';
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
