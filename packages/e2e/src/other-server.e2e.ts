import {
  choose,
  expect,
  fill,
  press,
  rowOf,
  rows,
  says,
  screens,
  search,
  searchEverything,
  signIn,
  test,
  walkPages,
} from './other-server-scene.ts';

for (const [screen, viewport] of Object.entries(screens)) {
  test.describe(`a server with the calls of the specification alone, on ${screen}`, () => {
    test.use({ viewport });

    test('[S1.23 S7.10 S7.11 S7.12 S7.13] visitors see the pages, register and reset their password', async ({
      page,
    }) => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: 'Elsewhere' })).toBeVisible();
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
      await page.goto('/register');
      await fill(page, 'Username', 'wei');
      await page.getByLabel('Password', { exact: true }).fill('password-1');
      await page.getByLabel('Repeat password').fill('password-1');
      await fill(page, 'Email', 'wei@example.com');
      await press(page, 'Get code');
      await says(page, 'Verification code sent successfully');
      await fill(page, 'Verification code', '123456');
      await press(page, 'Register');
      await says(page, 'Registration successful!');
      await page.goto('/reset');
      await fill(page, 'Email', 'wei@example.com');
      await press(page, 'Send reset email');
      await says(page, 'Reset email sent');
      await page.goto('/user/reset?email=wei@example.com&token=abc');
      await press(page, 'Reset password');
      await expect(page.getByRole('textbox', { name: 'New password' })).toHaveValue('new-password');
    });

    test('[S1.23 S7.8 S7.9 S7.14 S7.15 S7.16] every way in and the way out', async ({ page, isPhone }) => {
      await signIn(page);
      if (isPhone) await press(page, 'Menu');
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await says(page, 'Logout successful');
      await page.context().route('https://github.com/**', (route) => route.fulfill({ body: 'GitHub' }));
      const opened = page.waitForEvent('popup');
      await press(page, 'Sign in with GitHub');
      await (await opened).waitForURL(/^https:\/\/github\.com\/login\/oauth\/authorize\?client_id=client&state=state&/);
      await press(page, 'Sign in with WeChat');
      await page.getByRole('dialog').getByRole('textbox').fill('1234');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in with WeChat' }).click();
      await says(page, 'Login successful!');
      await page.goto('/oauth/github?code=in&state=state');
      await expect(page).toHaveURL('/');
      await page.goto('/oauth/lark?code=in&state=state');
      await expect(page).toHaveURL('/');
      await page.goto('/oauth/github?code=bind&state=state');
      await says(page, 'Bound successfully');
      await expect(page).toHaveURL('/setting');
    });

    test('[S1.23 S7.46 S7.47 S7.51 S7.52] tokens are paged, searched, sorted, toggled and deleted', async ({
      page,
      server,
      isPhone,
    }) => {
      await signIn(page);
      await walkPages(page, 'token-1');
      await page.goto('/token');
      await searchEverything(page, 'token-', 23);
      await search(page, '');
      await expect(rows(page)).toHaveCount(10);
      if (!isPhone) {
        await page.getByRole('columnheader', { name: 'Remaining quota' }).getByRole('button').click();
        await expect(rows(page).first()).toContainText('token-14');
      }
      await choose(page, 'token-20', 'Disable');
      await expect(rowOf(page, 'token-20').getByText('Disabled')).toBeVisible();
      expect(server.tables.token.find(({ id }) => id === 20)).toMatchObject({ name: 'token-20', status: 2 });
      await page.getByRole('radiogroup', { name: 'Status' }).getByText('Disabled').click();
      await expect(rows(page)).toHaveCount(1);
      await page.getByRole('button', { name: 'Next page' }).click();
      await expect(page.getByText('None on this page')).toBeVisible();
      await page.getByRole('radiogroup', { name: 'Status' }).getByText('All').click();
      await choose(page, 'token-19', 'Delete');
      await press(page, 'Delete token');
      await expect(rowOf(page, 'token-19')).toHaveCount(0);
      await expect(rows(page)).toHaveCount(10);
    });

    test('[S1.23] a page size that is remembered from elsewhere does not end the list', async ({ page }) => {
      await signIn(page);
      await page.evaluate(() => localStorage.setItem('list_size:token', '50'));
      await page.goto('/token');
      await walkPages(page, 'token-1');
      await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveCount(0);
    });

    test('[S1.23 S7.6 S7.48 S7.49 S7.50] tokens are made and changed, and what was not changed stays', async ({
      page,
      server,
    }) => {
      await signIn(page);
      await page.goto('/token/add');
      await fill(page, 'Name', 'fresh');
      await press(page, 'Create token');
      await says(page, 'Token created, click copy in the list to get it');
      await expect(rowOf(page, 'fresh')).toBeVisible();
      await expect(page.getByRole('tabpanel')).toContainText('sk-new-key');
      await choose(page, 'token-20', 'Edit');
      await fill(page, 'Name', 'renamed');
      await press(page, 'Save token');
      await says(page, 'Token updated');
      await expect(rowOf(page, 'renamed')).toBeVisible();
      expect(server.tables.token.find(({ id }) => id === 20)).toMatchObject({
        name: 'renamed',
        remain_quota: 20_000,
        expired_time: -1,
      });
    });

    test('[S1.23 S7.53 S7.54 S7.57 S7.58 S7.59] codes are paged, searched, toggled, changed and deleted', async ({
      page,
      server,
    }) => {
      await signIn(page);
      await page.goto('/redemption');
      await walkPages(page, 'code-1');
      await page.goto('/redemption');
      await searchEverything(page, 'code-', 23);
      await search(page, '');
      await choose(page, 'code-20 #20', 'Disable');
      await expect(rowOf(page, 'code-20').getByText('Disabled')).toBeVisible();
      await choose(page, 'code-19 #19', 'Delete');
      await press(page, 'Delete code');
      await expect(rowOf(page, 'code-19')).toHaveCount(0);
      await choose(page, 'code-20 #20', 'Edit');
      await fill(page, 'Name', 'renamed');
      await press(page, 'Save code');
      await says(page, 'Redemption updated');
      await expect(rowOf(page, 'renamed')).toBeVisible();
      expect(server.tables.redemption.find(({ id }) => id === 20)).toMatchObject({ name: 'renamed', quota: 500_000 });
    });

    test('[S1.23 S7.56 S7.32] codes are made and redeemed', async ({ page }) => {
      await signIn(page);
      await page.goto('/redemption/add');
      await fill(page, 'Name', 'gift');
      const download = page.waitForEvent('download');
      await press(page, 'Create codes');
      expect((await download).suggestedFilename()).toBe('gift.txt');
      await expect(page.getByRole('dialog').getByText('fresh-code')).toBeVisible();
      await page.goto('/topup');
      await expect(page.getByRole('region', { name: 'Remaining quota' })).toContainText('$1.00');
      await fill(page, 'Redemption code', 'good');
      await press(page, 'Redeem');
      await says(page, 'Top-up successful');
      await expect(page.getByRole('region', { name: 'Remaining quota' })).toContainText('$3.00');
    });

    test('[S1.23 S7.20 S7.22 S7.23 S7.24] users are paged, searched, ordered and managed', async ({
      page,
      server,
      isPhone,
    }) => {
      await signIn(page);
      await page.goto('/user');
      await walkPages(page, 'admin');
      await page.goto('/user');
      if (isPhone) await press(page, 'Filters');
      await page.getByRole('combobox', { name: 'Order' }).selectOption('quota');
      await expect(rows(page)).toHaveCount(10);
      await searchEverything(page, 'user-', 22);
      await search(page, '');
      await choose(page, 'user-20', 'Disable');
      await expect(rowOf(page, 'user-20').getByText('Banned')).toBeVisible();
      await choose(page, 'user-20', 'Promote');
      await expect(rowOf(page, 'user-20').getByText('Admin', { exact: true })).toBeVisible();
      await choose(page, 'user-19', 'Delete');
      await press(page, 'Delete user');
      await expect(rowOf(page, 'user-19')).toHaveCount(0);
      expect(server.tables.user).toHaveLength(22);
    });

    test('[S1.23 S7.25 S7.26 S7.27 S7.28] users are made and changed, others and oneself', async ({ page, server }) => {
      await signIn(page);
      await page.goto('/user/add');
      await fill(page, 'Username', 'fresh');
      await page.getByLabel(/^Password/).fill('password-9');
      await press(page, 'Create user');
      await says(page, 'User account created');
      await expect(rowOf(page, 'fresh')).toBeVisible();
      await page.goto('/user/edit/20');
      await fill(page, 'Display name', 'Renamed');
      await fill(page, 'Remaining quota', '77');
      await press(page, 'Save user');
      await says(page, 'User info updated');
      expect(server.tables.user.find(({ id }) => id === 20)).toMatchObject({
        username: 'user-20',
        display_name: 'Renamed',
        group: 'default',
        quota: 77,
      });
      expect(server.tables.user.find(({ id }) => id === 20)).not.toHaveProperty('quota_was');
      await page.goto('/user/edit');
      // The journeys of both screens may share a server: the other one may have been here.
      const shown = String(server.tables.user.find(({ id }) => id === 1)?.['display_name']);
      await expect(page.getByRole('textbox', { name: 'Display name' })).toHaveValue(shown);
      const changed = shown === 'Boss' ? 'Chief' : 'Boss';
      await fill(page, 'Display name', changed);
      await page.getByLabel('New password').fill('password-7');
      await press(page, 'Save profile');
      await says(page, 'User info updated');
      expect(server.tables.user.find(({ id }) => id === 1)).toMatchObject({ display_name: changed });
    });

    test('[S1.23 S7.35 S7.36 S7.40 S7.41 S7.42] channels are paged, searched, toggled and deleted', async ({
      page,
      server,
    }) => {
      await signIn(page);
      await page.goto('/channel');
      await walkPages(page, 'channel-1');
      await page.goto('/channel');
      await searchEverything(page, 'channel-', 23);
      await search(page, '');
      await choose(page, 'channel-20', 'Disable');
      await expect(rowOf(page, 'channel-20').getByText('Manually disabled')).toBeVisible();
      await page.getByRole('textbox', { name: 'Priority of channel-22, higher is preferred' }).fill('5');
      await page.keyboard.press('Enter');
      await says(page, 'Operation completed successfully');
      expect(server.tables.channel.find(({ id }) => id === 22)).toMatchObject({ name: 'channel-22', priority: 5 });
      await choose(page, 'channel-19', 'Delete');
      await press(page, 'Delete channel');
      await expect(rowOf(page, 'channel-19')).toHaveCount(0);
      await press(page, 'More actions for all channels');
      await page.getByRole('menuitem', { name: 'Delete disabled channels' }).click();
      await press(page, 'Delete disabled channels');
      await says(page, 'All disabled channels deleted, 1 in total');
      await expect(rowOf(page, 'channel-20')).toHaveCount(0);
    });

    test('[S1.23 S7.43 S7.44 S7.45] channels are tested one by one and together, and tell their balance', async ({
      page,
      isPhone,
    }) => {
      await signIn(page);
      await page.goto('/channel');
      if (isPhone) await choose(page, 'channel-20', 'Test');
      else await press(page, 'Test: channel-20');
      await says(page, 'Channel channel-20 tested: gpt-4o answered in 0.50');
      await press(page, 'Test all');
      await says(page, 'The tests have started');
      await expect(page.getByRole('button', { name: 'Test all', exact: true })).toBeEnabled();
      if (isPhone) await press(page, 'Filters');
      await page.getByRole('switch', { name: 'Details' }).click();
      await rowOf(page, 'channel-21')
        .getByRole('button', { name: /^Balance of channel-21/ })
        .click();
      await expect(rowOf(page, 'channel-21').getByText('$12.50')).toBeVisible();
    });

    test('[S1.23 S7.37 S7.38 S7.39] channels are made and changed, and what was not changed stays', async ({
      page,
      server,
    }) => {
      await signIn(page);
      await page.goto('/channel/add');
      await fill(page, 'Name', 'fresh');
      await fill(page, 'Key', 'secret');
      await expect(page.getByRole('button', { name: 'Fetch models' })).toHaveCount(0);
      await press(page, 'Fill related models');
      await expect(page.getByText('2 chosen')).toBeVisible();
      await press(page, 'Fill all models');
      await expect(page.getByText('deepseek-chat', { exact: true })).toBeVisible();
      await press(page, 'Create channel');
      await says(page, 'Channel created');
      await expect(rowOf(page, 'fresh')).toBeVisible();
      expect(server.tables.channel[0]).toMatchObject({ name: 'fresh', key: 'secret', models: 'gpt-4o,deepseek-chat' });
      await choose(page, 'channel-20', 'Edit');
      await fill(page, 'Name', 'renamed');
      const change = page.waitForRequest((request) => request.method() === 'PUT');
      await press(page, 'Save channel');
      expect(new URL((await change).url()).pathname).toBe('/api/channel/');
      // All that a new one is sent with, and the id.
      const { base_url, other, model_mapping, system_prompt, config, ...rest } = (await change).postDataJSON();
      expect([base_url, other, model_mapping, system_prompt, config].map((value) => typeof value)).toEqual(
        new Array(5).fill('string'),
      );
      expect(rest).toEqual({ id: 20, name: 'renamed', type: 1, key: '', models: 'gpt-4o', group: 'default' });
      await says(page, 'Channel updated');
      await expect(rowOf(page, 'renamed')).toBeVisible();
      expect(server.tables.channel.find(({ id }) => id === 20)).toMatchObject({
        name: 'renamed',
        models: 'gpt-4o',
        group: 'default',
        type: 1,
      });
    });

    test('[S1.23 S7.60 S7.63] logs of everybody are paged, filtered and summed up', async ({ page, isPhone }) => {
      await signIn(page);
      await page.goto('/log');
      await walkPages(page, 'spent 1');
      await page.goto('/log');
      await press(page, 'Click to view');
      await expect(page.getByRole('group', { name: 'Total consumed quota' })).toContainText('$23.00');
      if (isPhone) await press(page, 'Filters');
      await fill(page, 'Model name', 'deepseek-chat');
      await press(page, 'Query');
      await expect(page.getByRole('group', { name: 'Total consumed quota' })).toContainText('$11.00');
      await expect(rowOf(page, 'gpt-4o')).toHaveCount(0);
      await expect(rows(page)).toHaveCount(10);
      await page.getByRole('combobox', { name: 'Type' }).selectOption('Top-up');
      await expect(page.getByText('Nothing matches')).toBeVisible();
    });

    test('[S1.23 S7.61 S7.64] an ordinary user sees the own logs', async ({ page }) => {
      await page.goto('/login');
      await page.evaluate(() => localStorage.setItem('user', JSON.stringify({ username: 'wei', role: 1 })));
      await page.goto('/log');
      await walkPages(page, 'spent 1');
      await press(page, 'Click to view');
      await expect(page.getByRole('group', { name: 'Total consumed quota' })).toContainText('$23.00');
    });

    test('[S1.23 S7.33 S7.34 S7.65] every tab of the settings opens and saves', async ({ page, server }) => {
      await signIn(page);
      await page.goto('/setting?tab=operation');
      await fill(page, 'Initial quota of new users', '1250000');
      await press(page, 'Save changes');
      await says(page, 'Operation completed successfully');
      await press(page, 'Clean logs');
      await press(page, 'Delete logs');
      await says(page, '7 logs cleaned');
      await page.goto('/setting?tab=system');
      await page.getByRole('switch', { name: 'Allow new users to register' }).click();
      await expect.poll(() => server.tables.option.get('RegisterEnabled')).toBe('false');
      await expect(page.getByRole('button', { name: 'Send a test mail' })).toHaveCount(0);
      await page.goto('/setting?tab=other');
      await fill(page, 'System name', 'Renamed');
      await press(page, 'Save changes');
      await expect(page).toHaveTitle('Settings · Renamed');
      expect(server.tables.option.get('QuotaForNewUser')).toBe('1250000');
    });

    test('[S1.23 S7.18 S7.19 S7.29 S7.30 S7.31] the personal settings do all they offer', async ({ page }) => {
      await signIn(page);
      await page.goto('/setting');
      await press(page, 'Copy invite link');
      await expect(page.getByLabel('Invite link', { exact: true })).toHaveValue(/\/register\?aff=AFF4$/);
      await press(page, 'Generate system access token');
      await press(page, 'Generate');
      await expect(page.getByLabel('Shown only now: keep it somewhere safe')).toHaveValue('access-token');
      await press(page, 'Bind WeChat');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('1234');
      await dialog.getByRole('button', { name: 'Bind WeChat' }).click();
      await says(page, 'WeChat account bound successfully!');
      await press(page, 'Bind Email');
      await dialog.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
      await dialog.getByRole('textbox', { name: 'Verification code' }).fill('1234');
      await dialog.getByRole('button', { name: 'Bind', exact: true }).click();
      await says(page, 'Email account bound successfully!');
      await expect(page.getByRole('group', { name: 'Email', exact: true })).toContainText('ada@example.com');
      for (const name of ['Two-step login', 'Passkeys', 'Sessions'])
        await expect(page.getByRole('heading', { level: 2, name })).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Unbind Email' })).toHaveCount(0);
      await press(page, 'Delete own account');
      await dialog.getByRole('textbox').fill('admin');
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await says(page, 'Account deleted!');
      await expect(page).toHaveURL('/login');
    });
  });
}
