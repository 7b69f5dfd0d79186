import type { OptionKey } from '@headgate/contract';
import { LoginProviders, type ProviderUser, providerClient } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { setOption, uniqueName } from '../support/people.ts';
import { expect, startProduct, test } from '../support/product.ts';

const storedUser = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null') as { username: string } | null);

/** Starts a product with GitHub and Lark sign-in. */
async function startWith(providers: LoginProviders) {
  const urls = { github: providers.url, lark: providers.url };
  const product = await startProduct({ LOGIN_PROVIDER_URLS: JSON.stringify(urls) });
  providers.redirectBase = product.url;
  for (const [key, value] of Object.entries({
    ServerAddress: product.url,
    GitHubClientId: providerClient.id,
    GitHubClientSecret: providerClient.secret,
    GitHubOAuthEnabled: 'true',
    LarkClientId: providerClient.id,
    LarkClientSecret: providerClient.secret,
  }))
    await setOption(product.url, key as OptionKey, value);
  return product;
}

/** Clicks a button that opens a provider's page, and authorizes there. */
async function authorize(page: Page, button: string, path: string): Promise<Page> {
  const made = page.waitForResponse('**/api/oauth/state**');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: button, exact: true }).click();
  const { data: state } = (await (await made).json()) as { data: string };
  const popup = await opened;
  await popup.waitForURL((url) => url.pathname === path);
  expect(new URL(popup.url()).searchParams.get('state')).toBe(state);
  await popup.getByRole('link', { name: 'Authorize' }).click();
  return popup;
}

test("[S1.2 S2.9 S2.54 S2.56 S7.14 S7.15] signs in on GitHub's page and binds Lark on its page", async ({ page }) => {
  await using providers = await LoginProviders.start();
  const product = await startWith(providers);
  try {
    const person: ProviderUser = { id: 4001, login: uniqueName('p'), name: 'A Person' };
    providers.person = person;
    await page.goto(`${product.url}/login`);
    const popup = await authorize(page, 'Log in with GitHub', '/login/oauth/authorize');
    await popup.waitForURL(`${product.url}/`);
    await expect(popup.getByText('Login successful!')).toBeVisible();
    expect(await storedUser(popup)).toMatchObject({ username: person.login });
    // The original window continues as well.
    await expect(page).toHaveURL(`${product.url}/token`);
    await expect(page.getByRole('row', { name: 'Select default' })).toBeVisible();
    await popup.close();

    await page.getByRole('link', { name: 'Settings' }).click();
    const other = await authorize(page, 'Bind Lark', '/open-apis/authen/v1/authorize');
    await other.waitForURL(`${product.url}/setting`);
    await expect(other.getByText('Bound successfully')).toBeVisible();
    await expect(other.getByRole('group', { name: 'Lark', exact: true })).toContainText(String(person.id));
  } finally {
    await product.stop();
  }
});
