import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelApi, limitRuleApi } from '@headgate/contract';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, type Product, startProduct, test } from './product.ts';

const file = `
options:
  SystemName: From a file
channels:
  main: { type: OpenAI, key: { env: MAIN_KEY }, models: [gpt-4o] }
limits:
  everybody: { measure: requests_per_minute, amount: 60 }
`;

const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
let filed: Product;

test.beforeAll(async () => {
  writeFileSync(join(folder, 'headgate.yaml'), file);
  filed = await startProduct({ CONFIG_FILE: join(folder, 'headgate.yaml'), MAIN_KEY: 'sk-from-environment' });
});

test.afterAll(async () => {
  await filed.stop();
  rmSync(folder, { recursive: true });
});

test('what the configuration file manages is marked, and can be read but not changed', async ({ page }) => {
  const root = await asRoot(filed.url);
  const [channel] = await root.call(channelApi.list, { query: {} });
  const [limit] = await root.call(limitRuleApi.list, { query: {} });
  await signInAs(page, rootAccount, filed.url);

  await page.goto(`${filed.url}/channel/edit/${channel?.id}`);
  await expect(page.getByText('The configuration file manages this: it can only be changed there.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save channel' })).toHaveCount(0);

  await page.goto(`${filed.url}/limit/edit/${limit?.id}`);
  await expect(page.getByText('Managed by file')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save limit' })).toHaveCount(0);

  await page.goto(`${filed.url}/setting?tab=other`);
  await expect(page.getByRole('textbox', { name: 'System name' })).toBeDisabled();
  await expect(page.getByText('Managed by file')).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Logo URL' })).toBeEnabled();
});
