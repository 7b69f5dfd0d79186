import { channelApi, type Token, tokenApi } from '@headgate/contract';
import type { Page, Request } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import { asRoot, clientOf, createPerson, freshName, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

interface Wanted {
  readonly name: string;
  readonly remain_quota?: number;
  readonly unlimited_quota?: boolean;
  readonly expired_time?: number;
}

/** Signs in as a new person who has these tokens and no other; the last is the newest. */
async function signInWithTokens(page: Page, url: string, wanted: readonly Wanted[]): Promise<readonly Token[]> {
  const person = await createPerson(url);
  const client = await clientOf(url, person);
  for (const { id } of await client.call(tokenApi.list, { query: { size: 100 } }))
    await client.call(tokenApi.remove, { params: { id } });
  const tokens: Token[] = [];
  for (const body of wanted)
    tokens.push(await client.call(tokenApi.create, { body: { remain_quota: 500_000, ...body } }));
  await signInAs(page, person);
  return tokens;
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const names = (page: Page) => page.getByRole('row').locator('td:first-child').allTextContents();

async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click();
}

async function choose(page: Page, name: string, ...actions: readonly string[]): Promise<void> {
  await openMenu(page, name);
  for (const action of actions) await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const sent = (page: Page, method: string, path: string | RegExp): Promise<Request> =>
  page.waitForRequest((request) => {
    const { pathname } = new URL(request.url());
    return request.method() === method && (typeof path === 'string' ? pathname === path : path.test(pathname));
  });

const search = (request: Request) => Object.fromEntries(new URL(request.url()).searchParams);

test.describe('the list of tokens', () => {
  test('[S2.14 S7.46 S2.137 S2.129] shows the own tokens, newest first, with masked keys', async ({
    page,
    product,
  }) => {
    const [old, latest] = await signInWithTokens(page, product.url, [{ name: 'old' }, { name: 'new' }]);
    const asked = sent(page, 'GET', '/api/token/');
    await page.goto('/token');
    expect(search(await asked)).toMatchObject({ p: '0', order: '' });
    await expect(page.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
    await expect.poll(() => names(page)).toEqual(['new', 'old']);
    const key = `sk-${old?.key}`;
    const row = rowOf(page, 'old');
    await expect(row.getByText(/^sk-..…....$/)).toBeVisible();
    await expect(row.getByText(key)).toHaveCount(0);
    await row.getByRole('button', { name: 'Show key' }).click();
    await expect(page.getByRole('dialog', { name: 'Key' }).getByText(key)).toBeVisible();
    await expect(page.getByText(`sk-${latest?.key}`)).toHaveCount(0);
  });

  test('[S2.128 S7.47] is searched by name, and an emptied box shows all again', async ({ page, product }) => {
    await signInWithTokens(page, product.url, [{ name: 'Production' }, { name: 'laptop' }, { name: '50%_off' }]);
    await page.goto('/token');
    const box = page.getByRole('searchbox', { name: 'Search by name' });
    const look = async (keyword: string, found: readonly string[]) => {
      const asked = sent(page, 'GET', '/api/token/search');
      await box.fill(keyword);
      await box.press('Enter');
      expect(search(await asked)['keyword']).toBe(keyword.trim());
      await expect.poll(() => names(page)).toEqual(found);
    };
    await look(' PROD ', ['Production']);
    await look('%_', ['50%_off']);
    await expect(page).toHaveURL('/token?keyword=%25_');
    await box.fill('nothing of the kind');
    await box.press('Enter');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    const all = sent(page, 'GET', '/api/token/');
    await box.fill('');
    await box.press('Enter');
    await all;
    await expect(page).toHaveURL('/token');
    await expect.poll(() => names(page)).toHaveLength(3);
  });

  test('[S2.129 S7.46] is ordered by the dropdown: default, remaining quota, used quota', async ({ page, product }) => {
    await signInWithTokens(page, product.url, [
      { name: 'middle', remain_quota: 200 },
      { name: 'most', remain_quota: 300 },
      { name: 'least', remain_quota: 100 },
    ]);
    await page.goto('/token');
    const order = page.getByRole('combobox', { name: 'Order' });
    await expect(order.getByRole('option')).toHaveText(['Default order', 'Remaining quota', 'Used quota']);
    for (const [label, value, expected] of [
      ['Remaining quota', 'remain_quota', ['most', 'middle', 'least']],
      ['Used quota', 'used_quota', ['least', 'most', 'middle']],
      ['Default order', '', ['least', 'most', 'middle']],
    ] as const) {
      const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('order') === value);
      await order.selectOption(label);
      await asked;
      await expect.poll(() => names(page)).toEqual(expected);
      await expect(page).toHaveURL(value ? `/token?order=${value}` : '/token');
    }
  });

  test('[S4.18 S2.135] names the four statuses, and the quick filter counts them', async ({ page, product }) => {
    const soon = Math.ceil(Date.now() / 1000) + 2;
    const [, off] = await signInWithTokens(page, product.url, [
      { name: 'works' },
      { name: 'switched-off' },
      { name: 'too-late', expired_time: soon },
      { name: 'spent', remain_quota: 0 },
    ]);
    await page.request.put('/api/token/?status_only=true', { data: { id: off?.id, status: 2 } });
    const words: Readonly<Record<string, string>> = {
      works: 'Enabled',
      'switched-off': 'Disabled',
      'too-late': 'Expired',
      spent: 'Exhausted',
    };
    await expect(async () => {
      await page.goto('/token');
      await expect(rowOf(page, 'too-late').getByText('Expired')).toBeVisible({ timeout: 500 });
    }).toPass();
    for (const [name, status] of Object.entries(words))
      await expect(rowOf(page, name).getByText(status, { exact: true })).toBeVisible();
    await page.getByText('Exhausted 1').click();
    await expect(page).toHaveURL('/token?status=4');
    await expect.poll(() => names(page)).toEqual(['spent']);
  });

  test('[S3.26 S9.12 S9.13 S9.14 S9.15 S9.16] writes quota in dollars, or as points when the gateway is told to', async ({
    page,
    product,
  }) => {
    await signInWithTokens(page, product.url, [
      { name: 'plain', remain_quota: 9876 },
      { name: 'thousands', remain_quota: 12_345 },
      { name: 'millions', remain_quota: 1_510_000 },
      { name: 'billions', remain_quota: 2_040_000_000 },
      { name: 'endless', unlimited_quota: true },
    ]);
    const shown = async (expected: Readonly<Record<string, string>>) => {
      await page.goto('/token');
      for (const [name, quota] of Object.entries(expected))
        await expect(rowOf(page, name).getByText(quota, { exact: true })).toBeVisible();
    };
    await shown({ plain: '$0.02', millions: '$3.02', billions: '$4,080.00', endless: 'Unlimited' });
    await setOption(product.url, 'QuotaPerUnit', '1000000');
    try {
      await shown({ millions: '$1.51' });
    } finally {
      await setOption(product.url, 'QuotaPerUnit', '500000');
    }
    await setOption(product.url, 'DisplayInCurrencyEnabled', 'false');
    try {
      await shown({ plain: '9876', thousands: '12.3k', millions: '1.5M', billions: '2.0B', endless: 'Unlimited' });
    } finally {
      await setOption(product.url, 'DisplayInCurrencyEnabled', 'true');
    }
  });
});

test.describe('pages of the list', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `token-${index + 1}` }));
  const pager = (page: Page) => page.getByRole('button', { name: /^Page \d+$/ });

  test('[S9.17] the pager shows one page on each side', async ({ page, product }) => {
    await signInWithTokens(page, product.url, many(91));
    await page.goto('/token?page=5');
    await expect(page.getByText('41–50 of 91')).toBeVisible();
    await expect(pager(page)).toHaveText(['1', '4', '5', '6', '10']);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page).toHaveURL('/token?page=6');
    await expect(pager(page)).toHaveText(['1', '5', '6', '7', '10']);
  });

  test('an exact multiple of ten has no empty page behind it, and a page past the end gives way', async ({
    page,
    product,
  }) => {
    await signInWithTokens(page, product.url, many(20));
    await page.goto('/token?page=2');
    await expect(page.getByText('11–20 of 20')).toBeVisible();
    await expect(pager(page)).toHaveText(['1', '2']);
    await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await page.goto('/token?page=3');
    await expect(page).toHaveURL('/token?page=2');
    await expect.poll(() => names(page)).toHaveLength(10);
  });

  test('[S9.7] a server that tells no total is paged one by one, without an empty page that stays', async ({
    page,
    product,
  }) => {
    await signInWithTokens(page, product.url, many(20));
    await page.route('**/api/token/?*', async (route) => {
      const response = await route.fetch();
      const { 'x-total-count': _total, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    const pages: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/token/') pages.push(searchParams.get('p'));
    });
    await page.goto('/token');
    await expect(pager(page)).toHaveText(['1', '2']);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => names(page)).toContain('token-1');
    // No page is fetched before it is opened.
    expect(pages).toEqual(['0', '1']);
    await expect(pager(page)).toHaveText(['1', '2', '3']);
    await page.getByRole('button', { name: 'Page 3' }).click();
    await expect(page).toHaveURL('/token?page=2');
    await expect(pager(page)).toHaveText(['1', '2']);
    await expect.poll(() => names(page)).toContain('token-1');
  });

  test('page, order and keyword survive a reload and the way through a form', async ({ page, product }) => {
    await signInWithTokens(page, product.url, many(25));
    const address = '/token?page=2&keyword=token&order=remain_quota';
    await page.goto(address);
    await expect(page.getByText('11–20 of 25')).toBeVisible();
    await page.reload();
    await expect(page.getByText('11–20 of 25')).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveValue('token');
    await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('remain_quota');
    await expect.poll(() => names(page)).toHaveLength(10);
    const [first = ''] = await names(page);
    await choose(page, first, 'Edit');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(address);
    await expect.poll(() => names(page)).toContain(first);
  });

  test('the chosen page size is remembered', async ({ page, product }) => {
    await signInWithTokens(page, product.url, many(25));
    await page.goto('/token');
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('20');
    await expect(page.getByText('1–20 of 25')).toBeVisible();
    await page.goto('/token');
    await expect(page.getByText('1–20 of 25')).toBeVisible();
  });
});

test.describe('what can be done with a token', () => {
  test('[S2.130 S2.138] its key is copied with its prefix', async ({ page, product, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.goto('/token');
    await page.getByRole('button', { name: 'Copy key: mine' }).click();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${token?.key}`);
  });

  test('[S2.131 S3.25 S9.46] it is copied in the formats of four clients', async ({ page, product, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.goto('/token');
    const key = `sk-${token?.key}`;
    const address = encodeURIComponent(product.url);
    for (const [client, link] of [
      ['ChatGPT Next Web', `https://app.nextchat.dev/#/?settings={"key":"${key}","url":"${product.url}"}`],
      ['AMA', `ama://set-api-key?server=${address}&key=${key}`],
      ['OpenCat', `opencat://team/join?domain=${address}&token=${key}`],
      [
        'LobeChat',
        `https://lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"${key}","baseURL":"${product.url}/v1"}}}`,
      ],
    ] as const) {
      await choose(page, 'mine', 'Copy for', client);
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    }
  });

  test('[S3.23 S3.25] the chat app and the address are the ones the gateway names', async ({
    page,
    product,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await withStatus(page, { chat_link: 'https://chat.example/app/', server_address: 'https://gate.example' });
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.addInitScript(() => {
      window.open = (address) => {
        document.title = String(address);
        return null;
      };
    });
    await page.goto('/token');
    const settings = `/#/?settings={"key":"sk-${token?.key}","url":"https://gate.example"}`;
    await choose(page, 'mine', 'Copy for', 'ChatGPT Next Web');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe(`https://chat.example/app${settings}`);
    await choose(page, 'mine', 'Copy for', 'AMA');
    await expect.poll(copied).toBe(`ama://set-api-key?server=https%3A%2F%2Fgate.example&key=sk-${token?.key}`);
    await choose(page, 'mine', 'Chat in', 'ChatGPT Next Web');
    await expect.poll(() => page.title()).toBe(`https://chat.example/app${settings}`);
    await page.getByRole('navigation').getByRole('link', { name: 'Chat' }).click();
    await expect(page).toHaveURL('/chat');
    await expect(page.locator('iframe[title="Chat"]')).toHaveAttribute('src', 'https://chat.example/app/');
  });

  test('[S2.132 S2.133] it is opened in the same four clients', async ({ page, product }) => {
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.addInitScript(() => {
      window.open = (address) => {
        document.title = String(address);
        return null;
      };
    });
    await page.goto('/token');
    for (const [client, start] of [
      ['ChatGPT Next Web', 'https://app.nextchat.dev/#/?settings='],
      ['AMA', 'ama://set-api-key?server='],
      ['OpenCat', 'opencat://team/join?domain='],
      ['LobeChat', 'https://lobehub.com/?settings='],
    ] as const) {
      await choose(page, 'mine', 'Chat in', client);
      await expect.poll(() => page.title()).toContain(start);
      expect(await page.title()).toContain(`sk-${token?.key}`);
    }
  });

  test('[S2.139 S2.140] a key that cannot be copied is put into the search box and not searched for', async ({
    page,
    product,
  }) => {
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });
      document.execCommand = () => false;
    });
    await page.goto('/token');
    let searches = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/token/search')) searches += 1;
    });
    await page.getByRole('button', { name: 'Copy key: mine' }).click();
    await expect(page.getByText('Unable to copy to the clipboard, please copy manually')).toBeVisible();
    const box = page.getByRole('searchbox', { name: 'Search by name' });
    await expect(box).toHaveValue(`sk-${token?.key}`);
    expect(await box.evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd])).toEqual([
      0, 51,
    ]);
    await box.blur();
    await expect(page).toHaveURL('/token');
    await choose(page, 'mine', 'Copy for', 'AMA');
    await expect(box).toHaveValue(/^ama:\/\//);
    expect(searches).toBe(0);
  });

  test('[S2.138] a page without a secure context copies by selection', async ({ page, product, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.goto('/token');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    });
    await page.getByRole('button', { name: 'Copy key: mine' }).click();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${token?.key}`);
  });

  test('[S2.135 S4.19 S7.51 S8.12 S1.5] it is switched off and on by a status-only update', async ({
    page,
    product,
  }) => {
    const [token] = await signInWithTokens(page, product.url, [{ name: 'mine' }]);
    await page.goto('/token');
    for (const [action, status, words] of [
      ['Disable', 2, 'Disabled'],
      ['Enable', 1, 'Enabled'],
    ] as const) {
      const update = sent(page, 'PUT', '/api/token/');
      await choose(page, 'mine', action);
      const request = await update;
      expect(search(request)).toEqual({ status_only: 'true' });
      expect(request.postDataJSON()).toEqual({ id: token?.id, status });
      await expect(page.getByText('Operation completed successfully')).toBeVisible();
      await expect(rowOf(page, 'mine').getByText(words, { exact: true })).toBeVisible();
      await page.reload();
      await expect(rowOf(page, 'mine').getByText(words, { exact: true })).toBeVisible();
    }
  });

  test('[S8.8] a refused switch is taken back with the reason', async ({ page, product }) => {
    await signInWithTokens(page, product.url, [{ name: 'spent', remain_quota: 0 }]);
    await page.goto('/token');
    await choose(page, 'spent', 'Enable');
    await expect(page.getByRole('alert').filter({ hasText: /quota/i })).toBeVisible();
    await expect(rowOf(page, 'spent').getByText('Exhausted')).toBeVisible();
  });

  test('[S2.134 S7.52 S8.12 S1.5] it is deleted only after a question', async ({ page, product }) => {
    const [, token] = await signInWithTokens(page, product.url, [{ name: 'keep' }, { name: 'drop' }]);
    await page.goto('/token');
    await choose(page, 'drop', 'Delete');
    const question = page.getByRole('dialog');
    await expect(question.getByText('Delete token drop?')).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toHaveCount(0);
    await expect(rowOf(page, 'drop')).toBeVisible();
    await choose(page, 'drop', 'Delete');
    const removal = sent(page, 'DELETE', `/api/token/${token?.id}/`);
    await question.getByRole('button', { name: 'Delete token' }).click();
    await removal;
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    await expect.poll(() => names(page)).toEqual(['keep']);
  });
});

test.describe('the token form', () => {
  test.beforeEach(async ({ page, product }) => {
    await signInWithTokens(page, product.url, []);
  });

  test('[S2.15 S2.141 S9.23] has a field for each part of a token, and starts with its defaults', async ({ page }) => {
    await page.goto('/token');
    await expect(page.getByText('You have no tokens yet')).toBeVisible();
    await page.getByRole('link', { name: 'Add token' }).first().click();
    await expect(page).toHaveURL('/token/add');
    await expect(page.getByLabel('Remaining quota')).toHaveValue('500,000');
    await expect(page.getByText('Worth $1.00')).toBeVisible();
    for (const label of ['Name', 'Expiry', 'Unlimited quota', 'Allowed models', 'Allowed networks'])
      await expect(page.getByLabel(label).first()).toBeVisible();
  });

  test('[S3.38 S5.33 S7.49 S8.24] makes a token with what it starts with', async ({ page }) => {
    await page.goto('/token/add');
    await page.getByLabel('Name').fill(' laptop ');
    const creation = sent(page, 'POST', '/api/token/');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect((await creation).postDataJSON()).toEqual({
      name: 'laptop',
      remain_quota: 500_000,
      unlimited_quota: false,
      expired_time: -1,
      models: '',
      subnet: '',
    });
    await expect(page.getByText('Token created, click copy in the list to get it')).toBeVisible();
    await expect(page).toHaveURL('/token');
    await expect(rowOf(page, 'laptop').getByText('Never')).toBeVisible();
  });

  test('[S5.28 S5.30] sends nothing without a name or with an expiry that is no time', async ({ page }) => {
    let calls = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') calls += 1;
    });
    await page.goto('/token/add');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Name')).toBeFocused();
    await page.getByLabel('Name').fill('laptop');
    await page.getByLabel('Expiry').fill('next week');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Expiry time format error' })).toBeVisible();
    await expect(page.getByLabel('Expiry')).toHaveAttribute('aria-invalid', 'true');
    expect(calls).toBe(0);
    await expect(page).toHaveURL('/token/add');
  });

  const written = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

  test('[S2.143 S2.144 S2.145 S2.146 S9.25] sets the expiry by buttons', async ({ page }) => {
    const now = Math.floor(Date.now() / 1000);
    await page.clock.setFixedTime(now * 1000);
    await page.goto('/token/add');
    const expiry = page.getByLabel('Expiry');
    for (const [button, seconds] of [
      ['1 minute', 60],
      ['1 hour', 3600],
      ['1 day', 24 * 3600],
      ['1 month', 30 * 24 * 3600],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await expect(expiry).toHaveValue(written(now + seconds));
    }
  });

  test('[S2.142 S5.31 S5.32] sends the expiry in seconds, and -1 for never', async ({ page }) => {
    const now = Math.floor(Date.now() / 1000);
    await page.clock.setFixedTime(now * 1000);
    await page.goto('/token/add');
    const expiry = page.getByLabel('Expiry');
    await page.getByRole('button', { name: '1 month', exact: true }).click();
    await page.getByLabel('Name').fill('for a month');
    const creation = sent(page, 'POST', '/api/token/');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect((await creation).postDataJSON()).toMatchObject({ expired_time: now + 30 * 24 * 3600 });
    await expect(rowOf(page, 'for a month').getByText(written(now + 30 * 24 * 3600))).toBeVisible();
    for (const never of ['button', '-1'] as const) {
      if (never === '-1') {
        await choose(page, 'for a month', 'Edit');
        await page.getByRole('button', { name: '1 day', exact: true }).click();
        await page.getByRole('button', { name: 'Save token' }).click();
        await expect(rowOf(page, 'for a month').getByText(written(now + 24 * 3600))).toBeVisible();
      }
      await choose(page, 'for a month', 'Edit');
      if (never === 'button') await page.getByRole('button', { name: 'Never' }).click();
      else await expiry.fill('-1');
      const update = sent(page, 'PUT', '/api/token/');
      await page.getByRole('button', { name: 'Save token' }).click();
      expect((await update).postDataJSON()).toMatchObject({ expired_time: -1 });
      await expect(rowOf(page, 'for a month').getByText('Never')).toBeVisible();
    }
  });

  test('[S2.147 S3.41 S5.29] quota is a whole number, and of no account when unlimited', async ({ page }) => {
    await page.goto('/token/add');
    const quota = page.getByLabel('Remaining quota');
    await page.getByLabel('Name').fill('counted');
    // What stands behind a dot is dropped; it does not become a further digit.
    await quota.fill('');
    await quota.pressSequentially('12.5');
    await expect(quota).toHaveValue('12.5');
    await quota.blur();
    await expect(quota).toHaveValue('12');
    await quota.fill('1234567');
    await expect(page.getByText('Worth $2.47')).toBeVisible();
    let creation = sent(page, 'POST', '/api/token/');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect((await creation).postDataJSON()).toMatchObject({ remain_quota: 1_234_567, unlimited_quota: false });
    await page.getByRole('link', { name: 'Add token' }).click();
    await page.getByLabel('Name').fill('endless');
    await page.getByRole('switch', { name: 'Unlimited quota' }).click();
    await expect(quota).toBeDisabled();
    creation = sent(page, 'POST', '/api/token/');
    await page.getByRole('button', { name: 'Create token' }).click();
    expect((await creation).postDataJSON()).toMatchObject({ unlimited_quota: true });
    await expect(rowOf(page, 'endless').getByText('Unlimited')).toBeVisible();
  });

  test('[S2.15 S2.136 S7.48] is reached from the row of a token and holds what that has', async ({ page, product }) => {
    const [token] = await signInWithTokens(page, product.url, [{ name: 'before', remain_quota: 4321 }]);
    await page.goto('/token');
    const read = sent(page, 'GET', `/api/token/${token?.id}`);
    await choose(page, 'before', 'Edit');
    await read;
    await expect(page).toHaveURL(`/token/edit/${token?.id}`);
    await expect(page.getByLabel('Name')).toHaveValue('before');
    await expect(page.getByLabel('Remaining quota')).toHaveValue('4,321');
  });

  test('[S3.39 S3.40 S5.34 S7.6 S7.50] changes a token: models as a list, networks as text', async ({
    page,
    product,
  }) => {
    const model = freshName('model');
    const root = await asRoot(product.url);
    await root.call(channelApi.create, {
      body: { name: freshName('ch'), type: 1, key: 'sk-x', models: `${model}-a,${model}-b`, group: 'default' },
    });
    const [token] = await signInWithTokens(page, product.url, [{ name: 'before' }]);
    await page.goto(`/token/edit/${token?.id}`);
    await page.getByLabel('Name').fill('after');
    const models = page.getByRole('combobox', { name: 'Allowed models' });
    for (const letter of ['a', 'b']) {
      await models.fill(model);
      await page.getByRole('option', { name: `${model}-${letter}` }).click();
    }
    await page.getByLabel('Allowed networks').fill('10.0.0.0/8, 2001:db8::/32');
    const update = sent(page, 'PUT', '/api/token/');
    await page.getByRole('button', { name: 'Save token' }).click();
    expect((await update).postDataJSON()).toMatchObject({
      id: token?.id,
      name: 'after',
      models: `${model}-a,${model}-b`,
      subnet: expect.stringMatching(/^10\.0\.0\.0\/8, ?2001:db8::\/32$/),
    });
    await expect(page.getByText('Token updated')).toBeVisible();
    await choose(page, 'after', 'Edit');
    await expect(page.getByRole('main').getByText(`${model}-a`)).toBeVisible();
    await expect(page.getByLabel('Allowed networks')).toHaveValue('10.0.0.0/8,2001:db8::/32');
  });

  test('a refusal is told, and what was typed stays for another try', async ({ page }) => {
    await page.goto('/token/add');
    await page.getByLabel('Name').fill('fenced');
    await page.getByLabel('Allowed networks').fill('10.0.0.0/99');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByRole('alert').filter({ hasText: '10.0.0.0/99' })).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('fenced');
    await page.getByLabel('Allowed networks').fill('10.0.0.0/8');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(rowOf(page, 'fenced')).toBeVisible();
  });

  test('[S9.24] no other quota than the token’s own is ever shown while it is on the way', async ({
    page,
    product,
  }) => {
    const [token] = await signInWithTokens(page, product.url, [{ name: 'slow', remain_quota: 42 }]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/api/token/${token?.id}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/token/edit/${token?.id}`);
    await expect(page.getByRole('heading', { name: 'Edit token' })).toBeVisible();
    await expect(page.getByLabel('Remaining quota')).toHaveCount(0);
    release();
    await expect(page.getByLabel('Remaining quota')).toHaveValue('42');
  });

  test('a token that is not there says so and offers another try', async ({ page }) => {
    await page.goto('/token/edit/999999999');
    await expect(page.getByRole('main').getByText('This could not be loaded')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

test('the form speaks both languages', async ({ browser, product }) => {
  const context = await browser.newContext({ locale: 'zh-CN', baseURL: product.url });
  const page = await context.newPage();
  await signInWithTokens(page, product.url, []);
  await page.goto('/token/add');
  await expect(page.getByRole('heading', { level: 1, name: '添加令牌' })).toBeVisible();
  for (const label of ['名称', '剩余额度', '过期时间', '无限额度', '允许的模型', '允许的网段'])
    await expect(page.getByLabel(label).first()).toBeVisible();
  for (const button of ['永不过期', '一个月', '一天', '一小时', '一分钟'])
    await expect(page.getByRole('button', { name: button })).toBeVisible();
  await page.getByLabel('名称').fill('笔记本');
  await page.getByLabel('过期时间').fill('下周');
  await page.getByRole('button', { name: '创建令牌' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '过期时间格式错误！' })).toBeVisible();
  await page.getByRole('button', { name: '一个月' }).click();
  await page.getByRole('button', { name: '创建令牌' }).click();
  await expect(page.getByText('令牌创建成功，请在列表页面点击复制获取令牌！')).toBeVisible();
  await expect(rowOf(page, '笔记本').getByText('已启用')).toBeVisible();
  await context.close();
});

test('on a phone each token is a card with everything in one menu', async ({ page, product }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInWithTokens(page, product.url, [{ name: 'pocket' }]);
  await page.goto('/token');
  const card = page.getByRole('listitem').filter({ hasText: 'pocket' });
  await expect(card.getByText('Enabled')).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  await openMenu(page, 'pocket');
  for (const action of ['Copy key', 'Copy for', 'Chat in', 'Edit', 'Disable', 'Delete'])
    await expect(page.getByRole('menuitem', { name: action, exact: true })).toBeVisible();
});

test('a list that does not come says why and offers another try', async ({ page, product }) => {
  await signInWithTokens(page, product.url, [{ name: 'there' }]);
  await page.route('**/api/token/?*', (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'resting' } }),
  );
  await page.goto('/token');
  await expect(page.getByText('The list could not be loaded')).toBeVisible();
  await expect(page.getByRole('main').getByText('resting')).toBeVisible();
  await page.unroute('**/api/token/?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rowOf(page, 'there')).toBeVisible();
});
