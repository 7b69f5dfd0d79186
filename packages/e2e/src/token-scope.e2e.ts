import AxeBuilder from '@axe-core/playwright';
import { role, tokenApi, userCareApi } from '@headgate/contract';
import { createChannel } from './channels.ts';
import { expectFine } from './looks.ts';
import { clientOf, createPerson, freshName, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const widths = [
  { name: 'a desk', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
] as const;

for (const { name: place, width, height } of widths) {
  test(`a token is narrowed and gets a new key at ${place}`, async ({ page, product }) => {
    await page.setViewportSize({ width, height });
    const person = await createPerson(product.url);
    const client = await clientOf(product.url, person);
    await signInAs(page, person);
    await page.goto('/token/add');
    await page.getByLabel('Name').fill('given');
    await page.getByLabel('Note').fill('for Ada');
    await page.getByText('More limits').click();
    await page.getByRole('combobox', { name: 'Model patterns' }).fill('gpt-5*');
    await page.getByRole('combobox', { name: 'Model patterns' }).press('Enter');
    await page.getByRole('combobox', { name: 'Endpoints' }).first().click();
    await page.getByRole('option', { name: 'Conversations' }).click();
    await page.keyboard.press('Escape');
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page).toHaveURL('/token');
    const given = async () => (await client.call(tokenApi.search, { query: { keyword: 'given' } }))[0];
    const before = await given();
    expect(before).toMatchObject({ models: 'gpt-5*', endpoints: 'conversations', note: 'for Ada' });
    await page.getByRole('button', { name: 'More actions for given' }).click();
    // By key: where the menu opens under the pointer, another submenu comes to lie over the entry.
    await page.getByRole('menuitem', { name: 'New key', exact: true }).press('ArrowRight');
    await page.getByRole('menuitem', { name: 'The old key works for 1 day' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
    await expect(page.getByText('The token has a new key', { exact: false })).toBeVisible();
    const after = await given();
    expect(after?.key).not.toBe(before?.key);
    expect(after?.old_key_until).toBeGreaterThan(Date.now() / 1000 + 80_000);
    await page.getByRole('button', { name: 'More actions for given' }).click();
    await page.getByRole('menuitem', { name: /^End the old key/ }).click();
    await expect(page.getByText('The old key has ended')).toBeVisible();
    expect((await given())?.old_key_until).toBe(0);
  });
}

for (const { name: place, width, height } of widths) {
  test(`an admin binds a token to channels, at ${place}`, async ({ page, product }) => {
    await page.setViewportSize({ width, height });
    const tag = freshName('tag');
    const channel = await createChannel(product.url, { tag });
    const admin = await createPerson(product.url, { role: role.admin });
    const client = await clientOf(product.url, admin);
    const own = await client.call(tokenApi.create, { body: { name: 'own' } });
    const person = await createPerson(product.url);
    const other = await (await clientOf(product.url, person)).call(tokenApi.create, { body: { name: 'given' } });
    const stored = async (user: number, token: number) =>
      (await client.call(userCareApi.tokens, { params: { id: user } })).find(({ id }) => id === token);
    await signInAs(page, admin);
    await page.goto(`/token/edit/${own.id}`);
    const section = page.getByRole('region', { name: 'Channels' });
    await expect(section).toContainText('Served by every channel of its groups');
    await section.getByRole('button', { name: 'Choose channels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Channels of own' });
    await dialog.getByRole('combobox', { name: 'Channels', exact: true }).fill(channel.name.slice(1));
    await page.getByRole('option', { name: channel.name }).click();
    await page.keyboard.press('Tab');
    await expectFine(page, 'binding');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(section).toContainText(`Served by ${channel.name} alone`);
    expect(await stored(admin.id, own.id)).toMatchObject({ channels: String(channel.id), tags: '' });

    await page.goto(`/user/view/${person.id}`);
    await page.getByRole('button', { name: 'Choose channels of given' }).click();
    const tags = page.getByRole('dialog').getByRole('combobox', { name: 'Tags of channels' });
    await tags.fill(tag);
    await tags.press('Enter');
    await tags.press('Tab');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(`Served by tag ${tag} alone`)).toBeVisible();
    expect(await stored(person.id, other.id)).toMatchObject({ channels: '', tags: tag });
    await expectFine(page, 'a bound token');
  });
}
