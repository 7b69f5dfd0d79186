import { reply, StubUpstream } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel, findChannel, sent } from './channels.ts';
import { freshName, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const offered = (...ids: string[]) => reply({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Models of the provider' });
const pillsOf = (page: Page) => page.locator('form [data-model]').allTextContents();
const fetchModels = (page: Page) => page.getByRole('button', { name: 'Fetch models' }).click();

let upstream: StubUpstream;
test.beforeEach(async ({ page }) => {
  upstream = await StubUpstream.start(offered('new-chat', 'old-chat', 'new-embed', 'new-chat-mini'));
  await signInAs(page, rootAccount);
});
test.afterEach(() => upstream.close());

test('the models of a provider are fetched, searched, chosen and added to a saved channel', async ({
  page,
  product,
}) => {
  const name = freshName('fetch');
  const channel = await createChannel(product.url, { name, type: 8, base_url: upstream.url, models: 'old-chat,own' });
  await page.goto(`/channel/edit/${channel.id}`);
  await fetchModels(page);
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('checkbox')).toHaveCount(5);
  expect(upstream.seen).toMatchObject([{ path: '/v1/models', headers: { authorization: `Bearer key-of-${name}` } }]);
  const present = dialog.getByRole('checkbox', { name: 'old-chat already there' });
  await expect(present).toBeChecked();
  await expect(present).toBeDisabled();
  const add = dialog.getByRole('button', { name: 'Add chosen models' });
  await expect(add).toBeDisabled();

  await dialog.getByRole('searchbox', { name: 'Search models' }).fill('chat');
  await expect(dialog.getByRole('checkbox', { name: 'new-embed' })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^Select all/ }).check();
  await expect(dialog.getByText('2 new, 2 chosen')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'new-chat-mini' }).uncheck();
  await dialog.getByRole('searchbox', { name: 'Search models' }).fill('nothing like it');
  await expect(dialog.getByText('No model is called so')).toBeVisible();
  await add.click();
  await expect(dialog).toBeHidden();
  expect(await pillsOf(page)).toEqual(['old-chat', 'own', 'new-chat']);

  const saved = sent(page, 'PUT', '/api/channel/');
  await page.getByRole('button', { name: 'Save channel' }).click();
  await saved;
  await expect(page.getByText('Channel updated')).toBeVisible();
  expect(await findChannel(product.url, name)).toMatchObject({ models: 'old-chat,own,new-chat' });
});

test('a channel that is not saved asks with what is typed; a refusal is told in its place and can be tried again', async ({
  page,
}) => {
  upstream.answer = reply({ error: { message: 'Incorrect API key', code: 'invalid_api_key' } }, 401);
  await page.goto('/channel/add');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-typed');
  await page.getByRole('textbox', { name: 'Proxy address' }).fill(`${upstream.url}/`);
  await fetchModels(page);
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('alert')).toContainText('Incorrect API key');
  expect(upstream.seen.at(-1)).toMatchObject({ path: '/v1/models', headers: { authorization: 'Bearer sk-typed' } });
  upstream.answer = offered();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText('The provider lists no models')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await pillsOf(page)).toEqual([]);

  upstream.answer = offered('a', 'b');
  await fetchModels(page);
  await dialog.getByRole('checkbox', { name: /^Select all/ }).check();
  await dialog.getByRole('button', { name: 'Add chosen models' }).click();
  expect(await pillsOf(page)).toEqual(['a', 'b']);
});
