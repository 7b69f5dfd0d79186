import { type OptionKey, optionKeys, optionRow, optionSections, optionTabs, role } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const hint = 'Only a super admin can change this setting.';
const keysOf = (tab: string, changedBy: 'admin' | 'root'): OptionKey[] =>
  optionKeys.filter(
    (key) => optionSections[optionRow(key).section].tab === tab && optionRow(key).changedBy === changedBy,
  );
const controlOf = (page: Page, key: OptionKey) =>
  page.getByRole('tabpanel').getByLabel(optionRow(key).label, { exact: true }).first();

test('[A67.2] an admin sees the options of the super admin read-only, with the reason', async ({ page, product }) => {
  await signInAs(page, await createPerson(product.url, { role: role.admin }));
  for (const tab of Object.keys(optionTabs)) {
    await page.goto(`/setting?tab=${tab}`);
    const locked = keysOf(tab, 'root');
    await expect(page.getByText(hint)).toHaveCount(locked.length);
    for (const key of locked) await expect(controlOf(page, key), key).toBeDisabled();
    for (const key of keysOf(tab, 'admin')) await expect(controlOf(page, key), key).toBeEnabled();
  }
});

test('[A67.2] the super admin changes all of them', async ({ page }) => {
  await signInAs(page, rootAccount);
  for (const tab of Object.keys(optionTabs)) {
    await page.goto(`/setting?tab=${tab}`);
    for (const key of keysOf(tab, 'root')) await expect(controlOf(page, key), key).toBeEnabled();
    await expect(page.getByText(hint)).toHaveCount(0);
  }
});
