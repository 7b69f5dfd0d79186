import { optionApi, role } from '@headgate/contract';
import { asRoot, createPerson, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('an admin changes a setting, which is kept after a reload', async ({ page, product }) => {
  await signInAs(page, await createPerson(product.url, { role: role.admin }));
  await page.goto('/setting?tab=other');
  try {
    await page.getByLabel('Footer').fill('<b>Ours</b><img src=x onerror="window.hacked = true">');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('contentinfo').getByText('Ours', { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('contentinfo').getByText('Ours', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    const options = await (await asRoot(product.url)).call(optionApi.list, { query: { ratios: 'saved' } });
    expect(options.find(({ key }) => key === 'Footer')?.value).toContain('<b>Ours</b>');
  } finally {
    await setOption(product.url, 'Footer', '');
  }
});
