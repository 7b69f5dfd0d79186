import { type OptionKey, userApi } from '@headgate/contract';
import { LoginProviders, MailBox, type ProviderPerson, providerClient, wechatToken } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import { asRoot, clientOf, createPerson, freshName, rootAccount, setOption, signInAs } from './people.ts';
import { expect, type Product, test as plainTest, startProduct } from './product.ts';

/** A product that knows stand-ins of all providers and a mail server, one for all tests of this file. */
interface Scene {
  readonly gate: Product;
  readonly providers: LoginProviders;
  readonly box: MailBox;
}

const test = plainTest.extend<object, { scene: Scene }>({
  scene: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of wanted fixtures from this pattern.
    async ({}, use) => {
      await using providers = await LoginProviders.start();
      await using box = await MailBox.start();
      const urls = { github: providers.url, lark: providers.url, turnstile: providers.url };
      const gate = await startProduct({ LOGIN_PROVIDER_URLS: JSON.stringify(urls) });
      providers.home = gate.url;
      for (const [key, value] of Object.entries(optionsFor(gate, providers, box))) {
        await setOption(gate.url, key as OptionKey, value);
      }
      await use({ gate, providers, box });
      await gate.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ scene }, use) => use(scene.gate.url),
});

const optionsFor = ({ url: home }: Product, { url }: LoginProviders, { port }: MailBox) => ({
  ServerAddress: home,
  GitHubClientId: providerClient.id,
  GitHubClientSecret: providerClient.secret,
  GitHubOAuthEnabled: 'true',
  LarkClientId: providerClient.id,
  LarkClientSecret: providerClient.secret,
  OidcClientId: providerClient.id,
  OidcClientSecret: providerClient.secret,
  OidcWellKnown: `${url}/oidc/.well-known/openid-configuration`,
  OidcEnabled: 'true',
  WeChatServerAddress: url,
  WeChatServerToken: wechatToken,
  WeChatAccountQRCodeImageURL: '/logo.png',
  WeChatAuthEnabled: 'true',
  SMTPServer: '127.0.0.1',
  SMTPPort: String(port),
  SMTPFrom: 'gateway@example.com',
});

let lastId = 4000;
const newPerson = (): ProviderPerson => {
  lastId += 1;
  return { id: lastId, login: freshName('p'), name: 'A Person' };
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const storedUser = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null') as { username: string } | null);

interface Redirecting {
  readonly label: string;
  /** Of the provider's page. */
  readonly path: string;
}

const github: Redirecting = { label: 'GitHub', path: '/login/oauth/authorize' };
const lark: Redirecting = { label: 'Lark', path: '/open-apis/authen/v1/authorize' };
const oidc: Redirecting = { label: 'OpenID Connect', path: '/oidc/authorize' };

/** From the login page through the provider's and back, signed in; gives the address of the call that did it. */
async function signInWith(page: Page, { providers }: Scene, { label, path }: Redirecting): Promise<URL> {
  const person = newPerson();
  providers.person = person;
  await page.goto('/login');
  const made = page.waitForResponse('**/api/oauth/state**');
  const opened = page.waitForEvent('popup');
  await button(page, `Sign in with ${label}`).click();
  const { data: state } = (await (await made).json()) as { data: string };
  const popup = await opened;
  await popup.waitForURL((url) => url.pathname === path);
  expect(new URL(popup.url()).searchParams.get('state')).toBe(state);
  const called = popup.waitForRequest((request) => /\/api\/oauth\/\w+\?/.test(request.url()));
  await popup.getByRole('link', { name: 'Authorize' }).click();
  await popup.waitForURL('/');
  await expect(popup.getByText('Login successful!')).toBeVisible();
  expect(await storedUser(popup)).toMatchObject({ username: person.login });
  // The window that opened the other moves on too.
  await expect(page).toHaveURL('/token');
  await expect(page.getByRole('row', { name: 'Select default' })).toBeVisible();
  const address = new URL((await called).url());
  expect(address.searchParams.get('state')).toBe(state);
  expect(address.searchParams.get('code')).toBeTruthy();
  return address;
}

test('[S1.2 S2.9 S2.54 S2.56 S7.14 S7.15] a visitor signs in with GitHub', async ({ page, scene }) => {
  expect((await signInWith(page, scene, github)).pathname).toBe('/api/oauth/github');
});

test('[S1.3 S2.10 S2.55 S4.47 S7.16 S8.15] a visitor signs in with Lark', async ({ page, scene }) => {
  expect((await signInWith(page, scene, lark)).pathname).toBe('/api/oauth/lark');
});

test('a visitor signs in with OpenID Connect', async ({ page, scene }) => {
  expect((await signInWith(page, scene, oidc)).pathname).toBe('/api/oauth/oidc');
});

/** From the personal settings through the provider's page and back, and away again. */
async function bindAndUnbind(page: Page, { gate, providers }: Scene, { label }: Redirecting): Promise<void> {
  const owner = await createPerson(gate.url);
  const person = newPerson();
  providers.person = person;
  await signInAs(page, owner);
  await page.goto('/setting');
  const opened = page.waitForEvent('popup');
  await button(page, `Bind ${label}`).click();
  const popup = await opened;
  await popup.getByRole('link', { name: 'Authorize' }).click();
  await popup.waitForURL('/setting');
  await expect(popup.getByText('Bound successfully')).toBeVisible();
  expect(await storedUser(popup)).toMatchObject({ username: owner.username });
  const row = popup.getByRole('group', { name: label, exact: true });
  await expect(row).toContainText(String(person.id));
  await row.getByRole('button', { name: `Unbind ${label}` }).click();
  await dialog(popup).getByRole('button', { name: 'Unbind' }).click();
  await expect(row).toContainText('Not bound');
  await popup.close();
}

test('[S1.9 S2.176 S4.45 S4.46 S8.21] GitHub is bound and unbound in the settings', async ({ page, scene }) => {
  await bindAndUnbind(page, scene, github);
});

test('[S1.9 S2.177 S4.45 S4.46 S8.21] Lark is bound and unbound in the settings', async ({ page, scene }) => {
  await bindAndUnbind(page, scene, lark);
});

test('OpenID Connect is bound and unbound in the settings', async ({ page, scene }) => {
  await bindAndUnbind(page, scene, oidc);
});

test('the home page tells a visitor every provider that opens the gateway', async ({ page }) => {
  await page.goto('/');
  for (const way of ['GitHub login', 'WeChat login', 'Lark login', 'OpenID Connect login']) {
    await expect(page.getByText(way, { exact: true }).locator('..')).toHaveText(`${way}On`);
  }
});

test('[S2.51 S2.52 S2.53 S3.21 S9.21] the dialog of WeChat shows the code to scan and takes the one that comes', async ({
  page,
}) => {
  await withStatus(page, { wechat_login: true, wechat_qrcode: '/logo.png?scan' });
  await page.goto('/login');
  await button(page, 'Sign in with WeChat').click();
  await expect(dialog(page).getByRole('img', { name: 'QR code of the WeChat account' })).toHaveAttribute(
    'src',
    '/logo.png?scan',
  );
  await expect(dialog(page).getByText(/valid for three minutes/)).toBeVisible();
  await expect(dialog(page).getByRole('textbox', { name: 'Verification code' })).toBeEditable();
});

test('[S1.4 S4.50 S4.51 S7.17] a visitor signs in with a code from WeChat', async ({ page, scene }) => {
  scene.providers.wechatCodes.set('123456', 'wx-browser');
  await page.goto('/login');
  await button(page, 'Sign in with WeChat').click();
  const code = dialog(page).getByRole('textbox', { name: 'Verification code' });
  await dialog(page).getByRole('button', { name: 'Sign in with WeChat' }).click();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await code.fill('654321');
  await code.press('Enter');
  await expect(page.getByText('The verification code is wrong or has expired')).toBeVisible();
  await code.fill('123456');
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/oauth/wechat');
  await code.press('Enter');
  expect((await sent).method()).toBe('GET');
  expect(new URL((await sent).url()).searchParams.get('code')).toBe('123456');
  await expect(page).toHaveURL('/');
  expect((await storedUser(page))?.username).toMatch(/^wechat_\d{5}$/);
});

test('[S1.9 S2.175 S5.12 S7.18 S8.19] WeChat is bound in the settings', async ({ page, scene }) => {
  const owner = await createPerson(scene.gate.url);
  scene.providers.wechatCodes.set('bindme', 'wx-bound');
  await signInAs(page, owner);
  await page.goto('/setting');
  await button(page, 'Bind WeChat').click();
  const calls: string[] = [];
  page.on('request', (request) => void (request.url().includes('wechat/bind') && calls.push(request.url())));
  await dialog(page).getByRole('button', { name: 'Bind WeChat' }).click();
  await expect(dialog(page).getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  expect(calls).toEqual([]);
  await dialog(page).getByRole('textbox').fill('bindme');
  await dialog(page).getByRole('button', { name: 'Bind WeChat' }).click();
  await expect(page.getByText('WeChat account bound successfully!')).toBeVisible();
  await expect(page.getByRole('group', { name: 'WeChat', exact: true })).toContainText('wx-bound');
});

test('[S1.9 S2.178 S5.11 S7.19 S8.20] an email address is bound with the code that was sent to it', async ({
  page,
  scene,
}) => {
  const owner = await createPerson(scene.gate.url);
  const email = `${owner.username}@example.com`;
  await signInAs(page, owner);
  await page.goto('/setting');
  await button(page, 'Bind Email').click();
  await dialog(page).getByRole('textbox', { name: 'Email' }).fill(email);
  const calls: string[] = [];
  page.on('request', (request) => void (request.url().includes('email/bind') && calls.push(request.url())));
  await button(page, 'Bind').click();
  await expect(dialog(page).getByRole('textbox', { name: 'Verification code' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  expect(calls).toEqual([]);
  await button(page, 'Get code').click();
  await expect(page.getByText('Verification code sent successfully, please check your mailbox!')).toBeVisible();
  const { text } = await scene.box.mailTo(email);
  await dialog(page)
    .getByRole('textbox', { name: 'Verification code' })
    .fill(/^[A-Z0-9]{6}$/m.exec(text)?.[0] ?? '');
  await button(page, 'Bind').click();
  await expect(page.getByText('Email account bound successfully!')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Email', exact: true })).toContainText(email);
  expect(await (await clientOf(scene.gate.url, owner)).call(userApi.self)).toMatchObject({ email });
});

/** Opens the login page of a gateway that says this of itself and nothing else, and looks at the ways in. */
async function expectWays(page: Page, status: object, ...providers: readonly string[]): Promise<void> {
  const system_name = freshName('gate');
  await page.route('**/api/status', (route) =>
    route.fulfill({ json: { success: true, message: '', data: { system_name, ...status } } }),
  );
  await page.goto('/login');
  await expect(page.getByText(system_name)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign in with/ })).toHaveText(
    providers.map((provider) => `Sign in with ${provider}`),
  );
}

test('[S2.48 S3.20] GitHub is offered by its flag, not by its client, and is opened with that', async ({
  page,
  context,
}) => {
  await expectWays(page, { github_oauth: false, github_client_id: 'some', lark_client_id: 'app' }, 'Lark');
  await expectWays(page, { github_oauth: true, github_client_id: 'app-of-status' }, 'GitHub');
  await context.route('https://github.com/**', (route) => route.fulfill({ contentType: 'text/html', body: 'GitHub' }));
  await page.route('**/api/oauth/state**', (route) =>
    route.fulfill({ json: { success: true, message: '', data: 'from-the-server' } }),
  );
  const opened = page.waitForEvent('popup');
  await button(page, 'Sign in with GitHub').click();
  const popup = await opened;
  await popup.waitForURL('https://github.com/login/oauth/authorize?**');
  expect(new URL(popup.url()).searchParams.get('client_id')).toBe('app-of-status');
});

test('[S2.49 S3.22] Lark is offered by its client', async ({ page }) => {
  await expectWays(page, { lark_client_id: '', wechat_login: true }, 'WeChat');
  await expectWays(page, { lark_client_id: 'app' }, 'Lark');
});

test('[S2.50 S3.21] WeChat is offered by its flag, not by its picture', async ({ page }) => {
  await expectWays(page, { wechat_login: false, wechat_qrcode: '/logo.png', github_oauth: true }, 'GitHub');
  await expectWays(page, { wechat_login: true, wechat_qrcode: '' }, 'WeChat');
});

test('nothing is offered that the gateway does not have', async ({ page }) => {
  await expectWays(page, {});
});

test('[S2.54 S2.55 S2.56] a server that answers with the state alone is enough', async ({ page, context }) => {
  await context.route('https://github.com/**', (route) => route.fulfill({ contentType: 'text/html', body: 'GitHub' }));
  await page.route('**/api/oauth/state**', (route) =>
    route.fulfill({ json: { success: true, message: '', data: 'from-the-server' } }),
  );
  await page.goto('/login');
  const opened = page.waitForEvent('popup');
  await button(page, 'Sign in with GitHub').click();
  const popup = await opened;
  await popup.waitForURL('https://github.com/login/oauth/authorize?**');
  const { searchParams } = new URL(popup.url());
  expect(searchParams.get('state')).toBe('from-the-server');
  expect(searchParams.get('client_id')).toBe(providerClient.id);
});

test('[S2.11] there is no page for WeChat', async ({ page }) => {
  await page.goto('/oauth/wechat?code=1');
  await expect(page.getByText('Page does not exist, please check your browser address')).toBeVisible();
});

test.describe('the way back', () => {
  const failed = 'operation failed, redirecting to login';

  test('[S4.49] that the gateway refuses ends at the login, after its words', async ({ page }) => {
    await page.goto('/oauth/github?code=x&state=y');
    await expect(page.getByText('This sign-in was not begun in this browser')).toBeVisible();
    await expect(page.getByText(failed)).toBeVisible();
    await expect(page).toHaveURL('/login');
  });

  test('[S4.49] of somebody who said no ends at the login without a call', async ({ page, scene }) => {
    const calls: string[] = [];
    page.on('request', (request) => void (/api\/oauth\/github/.test(request.url()) && calls.push(request.url())));
    scene.providers.person = newPerson();
    await page.goto('/oauth/github?error=access_denied&state=y');
    await expect(page.getByText(failed)).toBeVisible();
    await expect(page).toHaveURL('/login');
    expect(calls).toEqual([]);
  });

  test('[S4.49] of a signed-in user that fails ends in the settings', async ({ page }) => {
    await signInAs(page, rootAccount);
    await page.goto('/oauth/lark?code=x&state=y');
    await expect(page.getByText(failed)).toBeVisible();
    await expect(page).toHaveURL('/setting');
  });

  test('[S4.48 S9.22] is tried again after 2, 4 and 6 seconds while no answer comes', async ({ page }) => {
    await page.clock.install();
    const times: number[] = [];
    await page.route('**/api/oauth/github**', async (route) => {
      times.push(await page.evaluate(() => Date.now()));
      await route.abort('connectionreset');
    });
    await page.goto('/oauth/github?code=x&state=y');
    for (const [count, seconds] of [
      [1, 2],
      [2, 4],
      [3, 6],
    ] as const) {
      await expect(page.getByText(`trying again (${count})`)).toBeVisible();
      expect(times).toHaveLength(count);
      await page.clock.runFor(seconds * 1000 - 100);
      expect(times).toHaveLength(count);
      await page.clock.runFor(200);
      await expect.poll(() => times.length).toBe(count + 1);
    }
    await expect(page.getByText(failed)).toBeVisible();
    expect(times).toHaveLength(4);
  });
});

test('an account that was made elsewhere says what its last way in is', async ({ page, scene }) => {
  const person = newPerson();
  scene.providers.person = person;
  await page.goto('/login');
  const opened = page.waitForEvent('popup');
  await button(page, 'Sign in with GitHub').click();
  const popup = await opened;
  await popup.getByRole('link', { name: 'Authorize' }).click();
  await popup.waitForURL('/');
  await page.goto('/setting');
  await button(page, 'Unbind GitHub').click();
  await dialog(page).getByRole('button', { name: 'Unbind' }).click();
  await expect(page.getByText('This is the only way into your account')).toBeVisible();
  const root = await asRoot(scene.gate.url);
  const [row] = await root.call(userApi.search, { query: { keyword: person.login, order: '' } });
  expect(row).toMatchObject({ github_id: String(person.id) });
});
