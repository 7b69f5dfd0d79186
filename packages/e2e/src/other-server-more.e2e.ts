import { expect, fill, press, rows, says, screens, signIn, test } from './other-server-scene.ts';

for (const [screen, viewport] of Object.entries(screens)) {
  test.describe(`a server with the calls of the specification alone, on ${screen}`, () => {
    test.use({ viewport });

    test('[S1.23 S2.39] the chat page shows the app that it names', async ({ page, server }) => {
      await page.route('https://chat.example.com/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: 'A chat application' }),
      );
      await page.goto('/chat');
      await expect(page.getByRole('heading', { level: 1, name: 'No chat here yet' })).toBeVisible();
      server.tables.option.set('ChatLink', 'https://chat.example.com/');
      await page.reload();
      await expect(page.frameLocator('iframe').getByText('A chat application')).toBeVisible();
    });

    test('[S1.23 S7.60] logs are listed page by page, and that no file of them is written is told', async ({
      page,
      isPhone,
    }) => {
      await signIn(page);
      await page.goto('/log');
      await expect(rows(page)).toHaveCount(10);
      if (isPhone) await press(page, 'Filters');
      await press(page, 'Export CSV');
      await expect(page.getByRole('alert').filter({ hasText: 'This server cannot write such files' })).toBeVisible();
      await press(page, 'Close');
      await expect(page.getByText('The export failed')).toHaveCount(0);
      await expect(rows(page)).toHaveCount(10);
    });

    test('[S1.23 S2.32 S8.2] a session that ends leads to the login, and back to where one was', async ({
      page,
      server,
      complaints,
    }) => {
      await signIn(page);
      // What the first page still asks for would find the session ended before the next one is there.
      await page.waitForLoadState('networkidle');
      server.endSessions();
      await page.goto('/redemption');
      await expect(page).toHaveURL('/login?expired=true');
      await says(page, 'Not logged in or login expired, please log in again!');
      await fill(page, 'Username or email', 'admin');
      await page.getByLabel('Password', { exact: true }).fill('password-1');
      await press(page, 'Log in');
      await expect(page).toHaveURL('/redemption');
      await expect(rows(page)).toHaveCount(10);
      expect(complaints.splice(0)).toEqual(['Not logged in or login expired, please log in again!']);
    });

    test('[S1.23] a status is looked for on the page in sight, which is said', async ({ page, server }) => {
      Object.assign(server.tables.token.at(-1) ?? {}, { status: 2 });
      await signIn(page);
      await expect(rows(page)).toHaveCount(10);
      const filter = page.getByRole('radiogroup', { name: 'Status' });
      await expect(
        page.getByText('This server cannot filter: only the rows of this page are looked through.'),
      ).toHaveCount(0);
      await filter.getByText('Disabled').click();
      await expect(
        page.getByText('This server cannot filter: only the rows of this page are looked through.'),
      ).toBeVisible();
      await expect(page.getByText('None on this page')).toBeVisible();
      await expect(page.getByText('Nothing matches')).toHaveCount(0);
      for (const _ of [1, 2]) await page.getByRole('button', { name: 'Next page' }).click();
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page)).toContainText('token-1');
    });

    test.describe('that says in JSON what it does not have', () => {
      test.use({ missingAs: 'json' });

      test('[S1.23] the pages that ask for more do without', async ({ page, server }) => {
        await signIn(page);
        for (const path of [
          '/',
          '/about',
          '/token',
          '/log',
          '/channel',
          '/user',
          '/redemption',
          '/setting',
          '/topup',
        ]) {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0);
        }
        expect([...server.unknownCalls]).not.toEqual([]);
      });
    });

    test.describe('in the dark and in Chinese', () => {
      test.use({ colorScheme: 'dark', locale: 'zh-CN' });

      test('[S1.23 S7.8 S7.46 S7.49] somebody signs in, makes a token and finds it', async ({ page, server }) => {
        await page.goto('/login');
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
        await fill(page, '用户名或邮箱', 'admin');
        await page.getByLabel('密码', { exact: true }).fill('password-1');
        await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click();
        await says(page, '登录成功！');
        await expect(page.getByRole('heading', { level: 1, name: '令牌' })).toBeVisible();
        await page.getByRole('link', { name: '添加令牌' }).click();
        await fill(page, '名称', '新的');
        await press(page, '创建令牌');
        await says(page, '令牌创建成功，请在列表页面点击复制获取令牌！');
        await expect(rows(page).filter({ hasText: '新的' })).toBeVisible();
        expect(server.tables.token[0]).toMatchObject({ name: '新的' });
      });

      test('[S1.23] the settings and the logs are there', async ({ page }) => {
        await page.goto('/login');
        await page.evaluate(() => localStorage.setItem('user', JSON.stringify({ username: 'admin', role: 100 })));
        await page.goto('/log');
        await expect(page.getByRole('heading', { level: 1, name: '使用明细' })).toBeVisible();
        await expect(rows(page)).toHaveCount(10);
        for (const tab of ['operation', 'system', 'other']) {
          await page.goto(`/setting?tab=${tab}`);
          await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
        }
        await page.goto('/user');
        await expect(rows(page)).toHaveCount(10);
      });
    });
  });
}
