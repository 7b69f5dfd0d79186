import { overrideStatus } from '../support/override-status.ts';
import { uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

/** Fake Turnstile script: a button that returns a token. */
const widget = `window.turnstile = {
  render: (place, options) => {
    const box = document.createElement('button');
    box.type = 'button';
    box.textContent = 'Widget of ' + options.sitekey;
    box.onclick = () => options.callback('token-1');
    place.append(box);
    return 'w1';
  },
  reset: () => undefined,
  remove: () => undefined,
};`;

test('registers with the bot check, whose script the content security policy allows, and logs in', async ({ page }) => {
  await overrideStatus(page, { turnstile_check: true, turnstile_site_key: 'site-key' });
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widget }),
  );
  const username = uniqueName();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await page.goto('/login');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await field('Username').fill(username);
  await field('Password').fill('long enough');
  await field('Repeat password').fill('long enough');
  await page.getByRole('button', { name: 'Widget of site-key' }).click();
  const sent = page.waitForRequest('**/api/user/register**');
  await page.getByRole('button', { name: 'Register' }).click();
  expect(new URL((await sent).url()).search).toBe('?turnstile=token-1');
  await expect(page.getByText('Registration successful!')).toBeVisible();
  await expect(page).toHaveURL('/login');
  await field('Username or email').fill(username);
  await field('Password').fill('long enough');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL('/token');
});
