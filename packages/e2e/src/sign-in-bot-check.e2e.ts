import { LoginProviders } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { asRoot, createPerson, setOption } from './people.ts';
import { expect, startProduct, test } from './product.ts';

/** Stands in for Cloudflare's script: a button that gives a new token at each click. */
const widget = `let count = 0;
  window.turnstile = {
    render: (place, options) => {
      const box = document.createElement('button');
      box.type = 'button';
      box.textContent = 'I am a person';
      box.onclick = () => options.callback('good-' + ++count);
      place.append(box);
      return 'w1';
    },
    reset: () => undefined,
    remove: () => undefined,
  };`;

const tryPassword = async (page: Page, password: string) => {
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
};

test('after repeated failures a person passes the bot check and logs in', async ({ page }) => {
  test.slow();
  await using cloudflare = await LoginProviders.start();
  const own = await startProduct({
    LOGIN_RATE_LIMIT: '10',
    LOGIN_PROVIDER_URLS: JSON.stringify({ turnstile: cloudflare.url }),
  });
  try {
    await asRoot(own.url);
    await setOption(own.url, 'TurnstileSiteKey', '1x00000000000000000000AA');
    await setOption(own.url, 'TurnstileSecretKey', '1x0000000000000000000000000000000AA');
    await setOption(own.url, 'TurnstileCheckEnabled', 'true');
    const { username, password } = await createPerson(own.url);
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: widget }),
    );
    await page.goto(`${own.url}/login`);
    await page.getByRole('textbox', { name: 'Username or email' }).fill(username);
    const wrong = page.getByText('Wrong username or password, or the account is banned');
    const solve = page.getByRole('button', { name: 'I am a person' });
    await expect(solve).toHaveCount(0);
    await tryPassword(page, 'wrong one');
    await expect(wrong).toBeVisible();
    await expect(solve).toBeVisible();
    await tryPassword(page, 'wrong two');
    await expect(page.getByText('Please retry in a few seconds, Turnstile is checking')).toBeVisible();
    for (const guess of ['wrong two', 'wrong three']) {
      const answered = page.waitForResponse('**/api/user/login');
      await solve.click();
      await tryPassword(page, guess);
      await answered;
    }
    expect(cloudflare.calls).toHaveLength(0);
    await solve.click();
    await tryPassword(page, password);
    await expect(page).toHaveURL(`${own.url}/token`);
    expect(cloudflare.calls.map(({ body }) => body)).toMatchObject([
      { secret: '1x0000000000000000000000000000000AA', response: 'good-3' },
    ]);
  } finally {
    await own.stop();
  }
});
