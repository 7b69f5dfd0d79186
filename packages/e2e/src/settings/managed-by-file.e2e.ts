import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialogSelector, expectAccessible } from '../support/accessibility.ts';
import { rootAccount, signInAs } from '../support/people.ts';
import { expect, startProduct, test } from '../support/product.ts';

const file = `
groups: { vip: 0.8 }
models: { gpt-4o: { input: 2.5, output: 10 } }
channels:
  main: { type: OpenAI, key: { env: MAIN_KEY }, models: [gpt-4o] }
`;

test('shows managed channels, prices and ratios and passes the accessibility checks', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
  writeFileSync(join(folder, 'headgate.yaml'), file);
  const { url, stop } = await startProduct({ CONFIG_FILE: join(folder, 'headgate.yaml'), MAIN_KEY: 'sk-environment' });
  await signInAs(page, rootAccount, url);
  const notice = page.getByText('Managed by headgate.yaml');
  await page.goto(`${url}/channel`);
  await page.getByRole('img', { name: 'Managed by file' }).focus();
  await expect(page.getByRole('tooltip')).toHaveText('Managed by the configuration file. Change it there.');
  await expectAccessible(page, 'a list with a managed row');
  await page.getByRole('button', { name: 'More actions for main' }).press('Enter');
  await page.getByRole('menuitem', { name: 'View settings' }).press('Enter');
  await expect(notice).toBeVisible();
  await expectAccessible(page, 'a managed channel');

  await page.goto(`${url}/prices?keyword=gpt-4o`);
  await page.getByRole('button', { name: 'View settings: gpt-4o', exact: true }).press('Enter');
  await expect(page.getByRole('dialog').getByText('Managed by headgate.yaml')).toBeVisible();
  await expectAccessible(page, 'a managed price', dialogSelector);

  await page.goto(`${url}/setting?tab=operation`);
  await page.getByRole('radiogroup', { name: 'Group ratio: View' }).getByText('Table').click();
  await expect(page.getByLabel('Ratio of vip')).toBeDisabled();
  await expectAccessible(page, 'managed ratios', 'section:has([aria-label="Ratio of vip"])');
  await stop();
  rmSync(folder, { recursive: true });
});
