import { channelApi } from '@headgate/contract';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test.describe('[A52.10] a channel that somebody else changed while its form was open', () => {
  test('is told of and reloaded, or kept on the screen; nothing of it is lost', async ({ page, product }) => {
    const root = await asRoot(product.url);
    await root.call(channelApi.create, { body: { name: 'Shared', key: 'sk-x', models: 'm' } });
    const { rows } = await root.page(channelApi.search, { query: { keyword: 'Shared' } });
    const id = rows[0]?.id ?? 0;
    const stored = () => root.call(channelApi.get, { params: { id } });
    const question = page.getByRole('dialog', { name: 'This channel has changed meanwhile' });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await signInAs(page, rootAccount);
    await page.goto(`/channel/edit/${id}`);
    await name.fill('Mine');
    await root.call(channelApi.update, { body: { id, models: 'm,n', system_prompt: 'Be brief' } });
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(question).toBeVisible();
    await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(name).toHaveValue('Mine');
    expect(await stored()).toMatchObject({ name: 'Shared', models: 'm,n' });
    await page.getByRole('button', { name: 'Save channel' }).click();
    await question.getByRole('button', { name: 'Reload' }).click();
    await expect(name).toHaveValue('Shared');
    await expect(page.getByLabel('System prompt')).toHaveValue('Be brief');
    await name.fill('Ours');
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('Channel updated')).toBeVisible();
    expect(await stored()).toMatchObject({ name: 'Ours', models: 'm,n', system_prompt: 'Be brief' });
  });

  test('is saved without a question when nothing that the form shows has changed', async ({ page, product }) => {
    const root = await asRoot(product.url);
    await root.call(channelApi.create, { body: { name: 'Quiet', key: 'sk-x', models: 'm' } });
    const { rows } = await root.page(channelApi.search, { query: { keyword: 'Quiet' } });
    const id = rows[0]?.id ?? 0;
    await signInAs(page, rootAccount);
    await page.goto(`/channel/edit/${id}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quieter');
    await root.call(channelApi.update, { body: { id, status: 2 } });
    await page.getByRole('button', { name: 'Save channel' }).click();
    await expect(page.getByText('Channel updated')).toBeVisible();
    expect(await root.call(channelApi.get, { params: { id } })).toMatchObject({ name: 'Quieter', status: 2 });
  });
});
