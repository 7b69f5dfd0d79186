import {
  logApi,
  type OptionKey,
  optionApi,
  optionKeys,
  optionRow,
  optionSections,
  optionTabs,
  role,
  statusApi,
} from '@headgate/contract';
import type { Page } from '@playwright/test';
import { withStatus } from './gateway-status.ts';
import {
  type Account,
  asRoot,
  clientOf,
  createPerson,
  deleteOwnAccount,
  openAsSomebody,
  type Person,
  rootAccount,
  setOption,
  signInAs,
} from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

async function openTab(page: Page, tab: string, url: string, account?: Account): Promise<void> {
  await signInAs(page, account ?? (await createPerson(url, { role: role.admin })));
  await page.goto(`/setting?tab=${tab}`);
}

const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) });

async function optionOf(url: string, key: OptionKey): Promise<string | undefined> {
  const rows = await (await asRoot(url)).call(optionApi.list, { query: { ratios: 'saved' } });
  return rows.find((row) => row.key === key)?.value;
}

/** The option calls the page makes, as they happen. */
function optionCalls(page: Page): { key: string; value: string }[] {
  const calls: { key: string; value: string }[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/option/')) calls.push(request.postDataJSON());
  });
  return calls;
}

test.describe('tabs', () => {
  test('[S2.22 S2.167 S6.5] a common user has personal settings only', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url));
    await page.goto('/setting?tab=system');
    await expect(page.getByRole('tab')).toHaveText(['Personal settings']);
  });

  test('[S2.168 S2.169 S2.170] an admin has all of them, and the address knows which is open', async ({
    page,
    product,
  }) => {
    await openTab(page, 'operation', product.url);
    await expect(page.getByRole('tab')).toHaveText([
      'Personal settings',
      'Operation settings',
      'System settings',
      'Other settings',
    ]);
    await page.getByRole('tab', { name: 'Other settings' }).click();
    await page.reload();
    await expect(page.getByRole('tab', { name: 'Other settings' })).toHaveAttribute('aria-selected', 'true');
  });

  /** What each section of a tab holds, by the names of its controls. */
  async function expectSections(page: Page, sections: Readonly<Record<string, readonly string[]>>): Promise<void> {
    for (const [name, labels] of Object.entries(sections))
      for (const label of labels) await expect(section(page, name).getByLabel(label).first()).toBeVisible();
  }

  test('[S2.196 S2.197 S2.198 S2.199 S2.200] the operation tab has its sections, in order', async ({
    page,
    product,
  }) => {
    await openTab(page, 'operation', product.url);
    const headings = page.getByRole('tabpanel').getByRole('heading', { level: 2 });
    await expect(headings).toHaveText(['General', 'Logs', 'Monitoring', 'Quota', 'Ratios']);
    await expectSections(page, {
      General: ['Top-up link', 'Chat link', 'Quota per dollar', 'Retry times'],
      Logs: ['Delete logs before'],
      Monitoring: ['Longest response time in seconds'],
      Quota: ['Initial quota of new users'],
      Ratios: ['Model ratio', 'Completion ratio', 'Group ratio'],
    });
  });

  test('[S2.179 S2.180 S2.181 S2.182 S2.187] the system tab has sections for address, login, mail and bots', async ({
    page,
    product,
  }) => {
    await openTab(page, 'system', product.url);
    await expectSections(page, {
      General: ['Server address'],
      'Login and registration': ['Allow login with a password', 'Allow new users to register'],
      'Email domain whitelist': ['Accept only these email domains', 'Allowed email domains'],
      SMTP: ['SMTP server', 'SMTP port', 'SMTP account', 'Sender address', 'SMTP password or token'],
      'Bot check': ['Turnstile site key', 'Turnstile secret key'],
    });
  });

  test('[S2.183 S2.184 S2.185 S2.186] the system tab has sections for the services of others', async ({
    page,
    product,
  }) => {
    await openTab(page, 'system', product.url);
    await expectSections(page, {
      'GitHub OAuth app': ['GitHub client ID', 'GitHub client secret'],
      'Lark login': ['Lark app ID', 'Lark app secret'],
      'WeChat server': ['WeChat server address', 'WeChat server token', 'WeChat account QR code image URL'],
      'Message pusher': ['Message pusher address', 'Message pusher token'],
    });
  });

  test('[S2.188 S2.191 S2.192 S2.193 S2.194 S2.195] the other tab has the looks and the texts', async ({
    page,
    product,
  }) => {
    await openTab(page, 'other', product.url);
    for (const label of ['System name', 'Logo URL', 'Notice', 'Home page content', 'About', 'Footer'])
      await expect(page.getByRole('textbox', { name: label })).toBeEditable();
    await expect(page.getByRole('combobox', { name: 'Theme' })).toBeEnabled();
  });
});

test.describe('personal settings', () => {
  test('[S6.10] offer a common user all there is', async ({ page, product }) => {
    await withStatus(page, { github_oauth: true, lark_client_id: 'app', wechat_login: true });
    await signInAs(page, await createPerson(product.url));
    await page.goto('/setting');
    for (const name of [
      'Generate system access token',
      'Copy invite link',
      'Bind WeChat',
      'Bind GitHub',
      'Bind Lark',
      'Bind Email',
      'Delete own account',
    ])
      await expect(page.getByRole('button', { name, exact: true })).toBeEnabled();
  });

  test('[S2.171 S2.173 S1.11 S7.30 S8.18] leads to the profile and copies the invite link', async ({
    page,
    context,
    product,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signInAs(page, await createPerson(product.url));
    await page.goto('/setting');
    await page.getByRole('button', { name: 'Copy invite link' }).click();
    await expect(page.getByText('Invite link copied')).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${product.url}/register\\?aff=\\w{4,}$`));
    await expect(page.getByLabel('Invite link', { exact: true })).toHaveValue(link);
    await page.getByRole('link', { name: 'Update personal info' }).click();
    await expect(page).toHaveURL('/user/edit');
  });

  test('[S2.172 S1.10 S7.29 S8.17] makes a system access token that works, and asks before replacing it', async ({
    page,
    context,
    product,
    playwright,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const person = await openAsSomebody(page, product.url, '/setting');
    const make = async () => {
      await page.getByRole('button', { name: 'Generate system access token' }).click();
      await page.getByRole('button', { name: 'Generate', exact: true }).click();
      await expect(page.getByText('Token reset and copied to clipboard').first()).toBeVisible();
      return page.getByLabel('Shown only now: keep it somewhere safe').inputValue();
    };
    const first = await make();
    const anybody = await playwright.request.newContext({ baseURL: product.url });
    const self = () => anybody.get('/api/user/self', { headers: { authorization: `Bearer ${first}` } });
    expect(await (await self()).json()).toMatchObject({ data: { username: person.username } });
    await expect.poll(make).not.toBe(first);
    expect((await self()).status()).toBe(401);
  });

  /** Types this into the question that stands before the deletion, and confirms it; gives the calls made from then on. */
  async function deleteAccount(page: Page, url: string, typedName: (person: Person) => string) {
    const person = await openAsSomebody(page, url, '/setting');
    await page.getByRole('button', { name: 'Delete own account' }).click();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
    });
    await deleteOwnAccount(page, typedName(person));
    return { person, calls };
  }

  test('[S2.174 S5.9 S5.10] keep the account when another name is typed', async ({ page, product }) => {
    const { person, calls } = await deleteAccount(page, product.url, ({ username }) => `${username}x`);
    await expect(page.getByText('Please enter your account name to confirm deletion!')).toBeVisible();
    expect(calls).toEqual([]);
    await clientOf(product.url, person);
  });

  test('[S1.12 S4.42 S4.43 S4.44 S7.31 S8.22] delete the account when its name is typed', async ({ page, product }) => {
    const { person, calls } = await deleteAccount(page, product.url, ({ username }) => username);
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Account deleted!')).toBeVisible();
    expect(calls).toContain('DELETE /api/user/self');
    expect(calls).toContain('GET /api/user/logout');
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
    await expect(clientOf(product.url, person)).rejects.toThrow();
  });
});

test('[S4.34 S4.35 S4.36] a code for an address cannot be asked for while one is sent, nor for 30 seconds after', async ({
  page,
  product,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/verification**', async (route) => {
    await released;
    await route.fulfill({ json: { success: true, message: '' } });
  });
  await signInAs(page, await createPerson(product.url));
  await page.clock.install();
  await page.goto('/setting');
  await page.getByRole('button', { name: 'Bind Email' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await dialog.getByRole('button', { name: 'Get code' }).click();
  await expect(dialog.getByRole('button', { name: 'Get code' })).toBeDisabled();
  release();
  await expect(dialog.getByRole('button', { name: /^Resend \((30|29)\)$/ })).toBeDisabled();
  await page.clock.runFor(31_000);
  await expect(dialog.getByRole('button', { name: 'Get code' })).toBeEnabled();
});

test.describe('options', () => {
  async function expectControls(page: Page, keys: readonly OptionKey[]): Promise<void> {
    for (const [tab, title] of Object.entries(optionTabs)) {
      await page.getByRole('tab', { name: title }).click();
      for (const key of keys.filter((key) => optionSections[optionRow(key).section].tab === tab)) {
        const control = page.getByRole('tabpanel').getByLabel(optionRow(key).label, { exact: true });
        await expect(control.first(), key).toBeVisible();
      }
    }
  }

  test('[S3.45 S3.47 S3.49] of logins and their providers have controls', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await expectControls(page, [
      ...(['PasswordLoginEnabled', 'PasswordRegisterEnabled', 'RegisterEnabled'] as const),
      ...(['EmailVerificationEnabled', 'EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'] as const),
      ...(['GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret', 'LarkClientId', 'LarkClientSecret'] as const),
      ...(['WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'] as const),
      ...(['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'] as const),
    ]);
  });

  test('[S3.48 S3.50] of mail, messages and looks have controls', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await expectControls(page, [
      ...(['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken'] as const),
      ...(['MessagePusherAddress', 'MessagePusherToken'] as const),
      ...(['Notice', 'ServerAddress', 'Footer', 'About', 'SystemName', 'Logo', 'HomePageContent'] as const),
      ...(['Theme', 'TopUpLink', 'ChatLink'] as const),
    ]);
  });

  test('[S3.51 S3.52 S3.53] of quota, ratios and behaviour have controls', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await expectControls(page, [
      ...(['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee', 'QuotaRemindThreshold'] as const),
      ...(['PreConsumedQuota', 'QuotaPerUnit', 'ModelRatio', 'CompletionRatio', 'GroupRatio'] as const),
      ...(['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled', 'ChannelDisableThreshold'] as const),
      ...(['LogConsumeEnabled', 'DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled'] as const),
      ...(['ApproximateTokenEnabled', 'RetryTimes'] as const),
    ]);
  });

  test('of this release that the specification does not name have controls too', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await expectControls(page, optionKeys);
  });

  test('[S3.44 S4.28 S7.33 S7.34] a switch sends the opposite of its text at once', async ({ page, product }) => {
    await setOption(product.url, 'LogConsumeEnabled', 'true');
    await openTab(page, 'operation', product.url);
    const calls = optionCalls(page);
    const toggle = page.getByRole('switch', { name: 'Keep a log row for every request' });
    await expect(toggle).toBeChecked();
    await toggle.click();
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    await expect(toggle).not.toBeChecked();
    expect(calls).toEqual([{ key: 'LogConsumeEnabled', value: 'false' }]);
    await toggle.click();
    await expect(toggle).toBeChecked();
    await expect.poll(() => optionOf(product.url, 'LogConsumeEnabled')).toBe('true');
  });

  test('[S4.29 S4.30 S4.31 S4.32] turning off password login warns first; cancelling changes nothing', async ({
    page,
    product,
  }) => {
    await openTab(page, 'system', product.url, rootAccount);
    const calls = optionCalls(page);
    const toggle = page.getByRole('switch', { name: 'Allow login with a password' });
    await toggle.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('locks out every user, admins included, who has no other login method bound');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(toggle).toBeChecked();
    expect(calls).toEqual([]);
    // Answered by the test: the real thing would lock the other tests out.
    await page.route(/\/api\/option\/(\?|$)/, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ json: { success: true, message: '' } }) : route.fallback(),
    );
    await toggle.click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect.poll(() => calls).toEqual([{ key: 'PasswordLoginEnabled', value: 'false' }]);
  });

  test('[S4.33] turning password login on asks nothing', async ({ page, product }) => {
    // Answered by the test: the real thing would lock the other tests out.
    await page.route(/\/api\/option\/(\?|$)/, async (route) => {
      if (route.request().method() === 'PUT') return route.fulfill({ json: { success: true, message: '' } });
      const response = await route.fetch();
      const { data, ...envelope } = (await response.json()) as { data: { key: string; value: string }[] };
      const off = data.map((row) => (row.key === 'PasswordLoginEnabled' ? { ...row, value: 'false' } : row));
      return route.fulfill({ response, json: { ...envelope, data: off } });
    });
    await openTab(page, 'system', product.url, rootAccount);
    const calls = optionCalls(page);
    const toggle = page.getByRole('switch', { name: 'Allow login with a password' });
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect.poll(() => calls).toEqual([{ key: 'PasswordLoginEnabled', value: 'true' }]);
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('[S1.16 S5.21 S5.22] an admin saves what was changed, and only that', async ({ page, product }) => {
    await openTab(page, 'system', product.url);
    const calls = optionCalls(page);
    const pusher = section(page, 'Message pusher');
    const save = page.getByRole('button', { name: 'Save changes' });
    await expect(save).toHaveCount(0);
    const address = pusher.getByLabel('Message pusher address');
    const stored = await address.inputValue();
    await address.fill('https://other.example');
    await expect(save).toHaveCount(1);
    await address.fill(stored);
    await expect(save).toHaveCount(0);
    await address.fill('https://gate.example/');
    await save.click();
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    await expect(address).toHaveValue('https://gate.example');
    expect(calls.map(({ key }) => key)).toEqual(['MessagePusherAddress']);
    await expect.poll(() => optionOf(product.url, 'MessagePusherAddress')).toBe('https://gate.example');
    await expect(save).toHaveCount(0);
    await setOption(product.url, 'MessagePusherAddress', '');
  });

  test('[S9.9] addresses lose the slash at their end, whichever field they are in', async ({ page, product }) => {
    const addresses = {
      General: ['ServerAddress', 'Server address'],
      'WeChat server': ['WeChatServerAddress', 'WeChat server address'],
      'Message pusher': ['MessagePusherAddress', 'Message pusher address'],
    } as const;
    await openTab(page, 'system', product.url, rootAccount);
    for (const [name, [key, label]] of Object.entries(addresses)) {
      await section(page, name).getByLabel(label).fill('https://slash.example/path/');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(section(page, name).getByLabel(label)).toHaveValue('https://slash.example/path');
      await expect.poll(() => optionOf(product.url, key)).toBe('https://slash.example/path');
      await setOption(product.url, key, '');
    }
  });

  test('[S3.48 S9.38] secrets are written, never shown, and an empty one is not sent', async ({ page, product }) => {
    await openTab(page, 'system', product.url, rootAccount);
    const calls = optionCalls(page);
    const smtp = section(page, 'SMTP');
    await expect(smtp.getByLabel('SMTP port')).toHaveAttribute('placeholder', '587');
    await smtp.getByLabel('SMTP password or token').fill('mail-secret');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(smtp.getByText('One is stored. It is never shown; type a new one to replace it.')).toBeVisible();
    await expect(smtp.getByLabel('SMTP password or token')).toHaveValue('');
    expect(calls).toEqual([{ key: 'SMTPToken', value: 'mail-secret' }]);
    await expect.poll(() => optionOf(product.url, 'SMTPToken')).toBe('');
    await setOption(product.url, 'SMTPToken', '');
  });

  test('[S5.23 S5.24 S5.25 S3.46] the whitelist takes each domain once and is saved comma-joined', async ({
    page,
    product,
  }) => {
    await setOption(product.url, 'EmailDomainWhitelist', 'a.example');
    await openTab(page, 'system', product.url);
    const calls = optionCalls(page);
    const whitelist = section(page, 'Email domain whitelist');
    const field = whitelist.getByLabel('Allowed email domains');
    await field.press('Enter');
    await field.fill('a.example');
    await field.press('Enter');
    await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
    await field.fill('b.example');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => calls).toEqual([{ key: 'EmailDomainWhitelist', value: 'a.example,b.example' }]);
  });

  test('[S5.15 S5.16 S5.17 S5.18 S9.45 S3.52] ratios must be JSON; {} is an empty box', async ({ page, product }) => {
    // Other journeys through the same product save prices.
    await setOption(product.url, 'ModelRatio', '{}');
    await openTab(page, 'operation', product.url);
    const calls = optionCalls(page);
    const ratios = section(page, 'Ratios');
    await expect(ratios.getByLabel('Model ratio', { exact: true })).toHaveValue('');
    for (const [label, words] of [
      ['Model ratio', 'Model ratio is not a valid JSON string'],
      ['Completion ratio', 'Completion ratio is not a valid JSON string'],
      ['Group ratio', 'Group ratio is not a valid JSON string'],
    ] as const) {
      const before = await ratios.getByLabel(label, { exact: true }).inputValue();
      await ratios.getByLabel(label, { exact: true }).fill('{\n "a": oops\n}');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText(words).first()).toBeVisible();
      await ratios.getByLabel(label, { exact: true }).fill(before);
    }
    expect(calls).toEqual([]);
    await ratios.getByLabel('Model ratio', { exact: true }).fill('{"gpt-4o": 1.5}');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => calls.length).toBe(1);
    await expect(ratios.getByLabel('Model ratio', { exact: true })).toHaveValue(/"gpt-4o": 1.5/);
    await ratios.getByRole('radiogroup', { name: 'Model ratio: View' }).getByText('Table').click();
    await expect(ratios.getByRole('row', { name: /gpt-4o.*\$3/ })).toBeVisible();
    await setOption(product.url, 'ModelRatio', '{}');
  });

  /** Fills these numbers, saves their section, and gives what was sent and what the gateway then has. */
  async function saveNumbers(page: Page, url: string, name: string, numbers: Readonly<Record<string, string>>) {
    const labels = Object.keys(numbers);
    const keys = labels.map((label) => optionKeys.find((key) => optionRow(key).label === label) ?? 'SystemName');
    const before = await Promise.all(keys.map((key) => optionOf(url, key)));
    await openTab(page, 'operation', url);
    const calls = optionCalls(page);
    for (const [label, value] of Object.entries(numbers))
      await section(page, name).getByRole('textbox', { name: label, exact: true }).fill(value);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    const stored = await Promise.all(keys.map((key) => optionOf(url, key)));
    for (const [index, key] of keys.entries()) await setOption(url, key, before[index] ?? '');
    const sent = calls.map(({ key, value }) => [key, value] as const);
    return { sent: Object.fromEntries(sent), stored };
  }

  test('[S9.42 S9.43] the monitoring has the longest response time in seconds and the quota reminder', async ({
    page,
    product,
  }) => {
    const { sent, stored } = await saveNumbers(page, product.url, 'Monitoring', {
      'Longest response time in seconds': '17',
      'Quota reminder threshold': '4321',
    });
    expect(sent).toEqual({ ChannelDisableThreshold: '17', QuotaRemindThreshold: '4321' });
    expect(stored).toEqual(['17', '4321']);
  });

  test('[S1.17 S9.44] an admin sets the four quotas', async ({ page, product }) => {
    const { sent, stored } = await saveNumbers(page, product.url, 'Quota', {
      'Initial quota of new users': '1250000',
      'Quota reserved per request': '750',
      'Reward for inviting a user': '1001',
      'Reward for using an invite code': '1002',
    });
    expect(sent).toEqual({
      QuotaForNewUser: '1250000',
      PreConsumedQuota: '750',
      QuotaForInviter: '1001',
      QuotaForInvitee: '1002',
    });
    expect(stored).toEqual(['1250000', '750', '1001', '1002']);
  });

  test('[S5.26 S5.27] the steps of the numbers, and what an amount is worth', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await page.getByRole('textbox', { name: 'Initial quota of new users' }).fill('1250000');
    await expect(page.getByText('Worth $2.50')).toBeVisible();
    const retries = page.getByRole('textbox', { name: 'Retry times' });
    await retries.fill('-3');
    await expect(retries).toHaveValue('3');
    await retries.press('ArrowUp');
    await expect(retries).toHaveValue('4');
    const unit = page.getByRole('textbox', { name: 'Quota per dollar' });
    await unit.fill('500000');
    await unit.press('ArrowUp');
    await expect(unit).toHaveValue('500000.01');
  });

  test('a refusal of the server is shown and the switch goes back', async ({ page, product }) => {
    await openTab(page, 'system', product.url, rootAccount);
    const toggle = page.getByRole('switch', { name: 'Allow sign-in with GitHub' });
    await toggle.click();
    await expect(page.getByText(/GitHub client ID/).last()).toBeVisible();
    await expect(toggle).not.toBeChecked();
  });
});

test.describe('logs and updates', () => {
  test('[S2.197 S7.65 S9.35] logs before a time are deleted after a question', async ({ page, product }) => {
    const person = await createPerson(product.url);
    const now = Math.floor(Date.now() / 1000);
    const thirtyDays = 30 * 24 * 3600;
    seedLogs(product, { owner: person, count: 3, newest: now - thirtyDays - 60, token: 'old' });
    seedLogs(product, { owner: person, count: 1, newest: now - thirtyDays + 3600, token: 'new' });
    await openTab(page, 'operation', product.url);
    const day = new Date((now - thirtyDays) * 1000).toISOString().slice(0, 10);
    await expect(page.getByLabel('Delete logs before')).toHaveValue(new RegExp(`^${day} \\d\\d:\\d\\d:\\d\\d$`));
    await page.getByRole('button', { name: 'Clean logs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete logs' }).click();
    // Other tests leave old logs in the same product: how many there are is not this test's to know.
    await expect(page.getByText(/^\d+ logs? cleaned$/)).toBeVisible();
    const left = await (await asRoot(product.url)).call(logApi.list, { query: { p: 0, username: person.username } });
    expect(left.filter(({ token_name }) => token_name !== '').map(({ token_name }) => token_name)).toEqual(['new']);
  });

  test('[S8.23] the cleanup says how many logs it took away', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await page.route('**/api/log/?*', (route) => route.fulfill({ json: { success: true, message: '', data: 17 } }));
    await page.getByRole('button', { name: 'Clean logs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete logs' }).click();
    await expect(page.locator('[data-kind="success"]')).toHaveText('17 logs cleaned');
  });

  test('[S8.11] a failed cleanup says why', async ({ page, product }) => {
    await openTab(page, 'operation', product.url);
    await page.route('**/api/log/?*', (route) => route.fulfill({ json: { success: false, message: 'disk full' } }));
    await page.getByRole('button', { name: 'Clean logs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete logs' }).click();
    await expect(page.getByText('Log cleanup failed: disk full')).toBeVisible();
  });

  test('[S8.34 S8.35 S2.189 S7.66 S3.27] the update check: no tag and the running version are the latest, another is told', async ({
    page,
    product,
  }) => {
    const sent: Record<string, string>[] = [];
    let tag = '';
    await page.route('https://api.github.com/**', (route) => {
      sent.push(route.request().headers());
      return route.fulfill({ json: { tag_name: tag, body: '# Notes\n<script>window.hacked = true</script>' } });
    });
    await openTab(page, 'other', product.url);
    const { version } = await (await asRoot(product.url)).call(statusApi.status);
    for (const latest of ['', version]) {
      tag = latest;
      await page.getByRole('button', { name: 'Check for updates' }).click();
      await expect(page.getByText('Already latest version')).toBeVisible();
      await expect(page.getByText('Already latest version')).toHaveCount(0);
    }
    tag = 'v99.0.0';
    await page.getByRole('button', { name: 'Check for updates' }).click();
    const dialog = page.getByRole('dialog', { name: 'New version: v99.0.0' });
    await expect(dialog.getByRole('heading', { name: 'Notes' })).toBeVisible();
    expect(sent.map((headers) => headers['cookie'])).toEqual([undefined, undefined, undefined]);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  });

  test('[S1.18 S2.43 S2.190 S2.195] name and footer are in force at once, and the footer cannot run anything', async ({
    page,
    product,
  }) => {
    await openTab(page, 'other', product.url);
    await page.getByLabel('System name').fill('My gate');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'My gate' })).toBeVisible();
    await page.getByLabel('Footer').fill('<b>Ours</b><img src=x onerror="window.hacked = true">');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByText('Ours', { exact: true })).toBeVisible();
    await expect(footer).not.toContainText('<b>');
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await setOption(product.url, 'SystemName', 'Headgate');
    await setOption(product.url, 'Footer', '');
  });
});
