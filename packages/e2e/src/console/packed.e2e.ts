import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenApi } from '@headgate/contract';
import { chatResponse, reply, StubUpstream } from '@headgate/testkit';
import { asRoot, rootAccount, setOption, signInAs } from '../support/people.ts';
import { expect, packedProgram, test as plainTest, startProduct } from '../support/product.ts';

/** The installed package, in an empty folder. */
const test = plainTest.extend<object, { product: Awaited<ReturnType<typeof startProduct>> }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of wanted fixtures from this pattern.
    async ({}, use) => {
      const product = await startProduct({ DATA_DIR: './data' }, packedProgram);
      await setOption(product.url, 'ModelsWithoutPrice', 'charge');
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

test('signs in, adds a channel, sends a request and exports the log with the packed package', async ({
  page,
  product,
}) => {
  const upstream = await StubUpstream.start(reply(chatResponse({ content: 'Hello from afar' })));
  expect(readdirSync(product.folder)).toEqual(['data']);
  expect(existsSync(join(product.folder, 'data/headgate.db'))).toBe(true);

  await signInAs(page, rootAccount);
  await page.goto('/channel/add');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('far away');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-secret');
  await page.getByRole('textbox', { name: 'Base URL' }).fill(upstream.url);
  await page.getByRole('combobox', { name: 'Available models' }).fill('gpt-4o');
  await page.getByRole('combobox', { name: 'Available models' }).press('Enter');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await expect(page.getByText('far away').first()).toBeVisible();

  const root = await asRoot(product.url);
  const { key } = await root.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const response = await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(await response.text()).toContain('Hello from afar');

  // The export file is written by a worker thread.
  await page.goto('/log?type=2');
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await downloaded).path(), 'utf8')).split('\r\n');
  expect(lines[1]).toContain('gpt-4o');
  await upstream.close();
});
