import { channelApi, role, routingApi } from '@headgate/contract';
import { expectFine } from './looks.ts';
import { asRoot, createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { fillAndLeave } from './steps.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens))
  test.describe(`routing on ${screen}`, () => {
    test.use({ viewport });

    test('a rule and a name are made, tried, changed and deleted', async ({ page, product }) => {
      const root = await asRoot(product.url);
      const [group, name] = [freshName('group'), freshName('our-best')];
      const fields = { type: 8, key: 'k', base_url: 'http://127.0.0.1:9', group };
      await root.call(channelApi.create, { body: { ...fields, name: `${group} one`, models: 'gpt-4o' } });
      await root.call(channelApi.create, { body: { ...fields, name: `${group} two`, models: 'gpt-4.1' } });
      await signInAs(page, await createPerson(product.url, { role: role.admin }));
      await page.goto('/');
      if (viewport.width < 600) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Routing', exact: true }).click();

      await page.getByRole('button', { name: 'Add rule' }).click();
      const ruleDialog = page.getByRole('dialog', { name: 'Add rule' });
      await fillAndLeave(ruleDialog.getByRole('combobox', { name: 'Group' }), group);
      await fillAndLeave(ruleDialog.getByRole('combobox', { name: 'Model', exact: true }), 'gpt-4o*');
      await ruleDialog.getByLabel('Among channels of the same priority').selectOption('cheapest');
      await ruleDialog.getByRole('combobox', { name: 'Models that serve in its place (fallbacks)' }).fill('gpt-4.1');
      await page.keyboard.press('Enter');
      // What is suggested lies over the button on a phone.
      await page.keyboard.press('Tab');
      await expectFine(page, 'rule dialog');
      await ruleDialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Rule saved')).toBeVisible();
      const row = page.getByRole('listitem').filter({ hasText: `${group} · gpt-4o*` });
      await expect(row).toContainText('Cheapest');
      await expect(row).toContainText('Then gpt-4.1');

      await page.getByRole('button', { name: 'Add name' }).click();
      const nameDialog = page.getByRole('dialog', { name: 'Add name' });
      await nameDialog.getByLabel('Name that is asked for').fill(name);
      await fillAndLeave(nameDialog.getByRole('combobox', { name: 'Model that serves' }), 'gpt-*');
      await nameDialog.getByRole('button', { name: 'Save' }).click();
      await expect(nameDialog.getByText('The name has no star it could stand for')).toBeVisible();
      await fillAndLeave(nameDialog.getByRole('combobox', { name: 'Model that serves' }), 'gpt-4o');
      await nameDialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Name saved')).toBeVisible();

      const trying = page.getByRole('region', { name: 'Try it' });
      await fillAndLeave(trying.getByRole('combobox', { name: 'Group' }), group);
      await fillAndLeave(trying.getByRole('combobox', { name: 'Model' }), name);
      await trying.getByRole('button', { name: 'Show the way' }).click();
      await expect(trying.getByText(`The name ${name} stands for gpt-4o`)).toBeVisible();
      await expect(trying.getByRole('listitem').filter({ hasText: `${group} one` })).toContainText(
        'Asked first · 100 %',
      );
      await expect(trying.getByText('Then gpt-4.1')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);

      await expectFine(page, 'routing');
      await row.getByRole('button', { name: /^Edit/ }).click();
      const editing = page.getByRole('dialog', { name: 'Edit rule' });
      await editing.getByLabel('Keep on the same channel and key').selectOption('conversation');
      await editing.getByRole('button', { name: 'Save' }).click();
      await expect(row).toContainText('Together: Conversations');
      await row.getByRole('button', { name: /^Delete/ }).click();
      await page.getByRole('button', { name: 'Delete rule' }).click();
      await expect(row).toHaveCount(0);
      expect((await root.call(routingApi.rules)).filter((rule) => rule.group === group)).toEqual([]);
      const kept = (await root.call(routingApi.aliases)).find(({ pattern }) => pattern === name);
      if (kept) await root.call(routingApi.removeAlias, { params: { id: kept.id } });
    });
  });
