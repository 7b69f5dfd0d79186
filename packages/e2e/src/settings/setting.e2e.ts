import { optionApi, role } from '@headgate/contract';
import { asRoot, createTestUser, setOption, signedInClient, signInAs } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

test('opens a topic from the list, keeps unsaved changes in view, and saves a setting', async ({ page, product }) => {
  const admin = await createTestUser(product.url, { role: role.admin });
  // Creates another session that can be ended.
  await signedInClient(product.url, admin);
  await signInAs(page, admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/setting');
  const signOut = page.getByRole('button', { name: 'Log out' }).getByText('Log out');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(signOut).toBeVisible();
    expect(await signOut.evaluate((label) => label.scrollWidth - label.clientWidth)).toBe(0);
  }

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('tab', { name: 'System settings' }).click();
  const topics = page.getByRole('navigation', { name: 'Topics' });
  await expect(topics.getByRole('link')).toHaveCount(11);
  await topics.getByRole('link', { name: 'SMTP' }).click();
  await expect(page).toHaveURL('/setting?tab=system&topic=smtp');
  await expect(page.getByRole('heading', { name: 'Bot check' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Other settings' }).click();
  await expect(topics.getByRole('link')).toHaveText(['Personalization', 'Content', 'All topics']);
  await topics.getByRole('link', { name: 'Content' }).click();

  try {
    await page.getByLabel('Footer').fill('<b>Ours</b><img src=x onerror="window.hacked = true">');
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByRole('region', { name: 'Unsaved changes' })).toBeInViewport();
    }
    await page.getByRole('button', { name: 'Save changes' }).click();
    const footer = page.getByRole('contentinfo').getByText('Ours', { exact: true });
    await expect(footer).toBeVisible();
    await page.reload();
    await expect(footer).toBeVisible();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    const options = await (await asRoot(product.url)).call(optionApi.list, { query: { ratios: 'saved' } });
    expect(options.find(({ key }) => key === 'Footer')?.value).toContain('<b>Ours</b>');
  } finally {
    await setOption(product.url, 'Footer', '');
  }
});
