import { role, userApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import {
  type Account,
  asRoot,
  clientOf,
  createPerson,
  freshName,
  type Person,
  rootAccount,
  signInAs,
} from './people.ts';
import { expect, test } from './product.ts';

const rowOf = (page: Page, { username }: Pick<Account, 'username'>) =>
  page.getByRole('row').filter({ has: page.getByText(username, { exact: true }) });

const openList = (page: Page, { username }: Account) => page.goto(`/user?keyword=${username}`);

const openMenu = (page: Page, { username }: Account) =>
  page.getByRole('button', { name: `More actions for ${username}` }).click();

async function choose(page: Page, person: Account, action: string): Promise<void> {
  await openMenu(page, person);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const isManage = (request: { url(): string }) => request.url().endsWith('/api/user/manage');

/** Shows the list with other users than the server has: for what a server of ours never says. */
async function answerList(page: Page, ...users: Partial<Person>[]): Promise<void> {
  const plain = {
    id: 1,
    username: 'somebody',
    display_name: '',
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    wechat_id: '',
    lark_id: '',
    oidc_id: '',
    quota: 0,
    used_quota: 0,
    request_count: 0,
    group: 'default',
    aff_code: '',
    inviter_id: 0,
  };
  const data = users.map((user, index) => ({ ...plain, id: index + 1, ...user }));
  await page.route('**/api/user/?*', (route) => route.fulfill({ json: { success: true, message: '', data } }));
}

test.describe('the list of users', () => {
  test.beforeEach(({ page }) => signInAs(page, rootAccount));

  test('[S2.18 S2.69 S3.1 S4.1 S4.7 S7.20] shows who there is', async ({ page, product }) => {
    const person = await createPerson(product.url, { quota: 750_000, group: 'vip,default', display_name: 'Wei Lin' });
    const asked = page.waitForRequest((request) => /\/api\/user\/\?.*\bp=0\b/.test(request.url()));
    await page.goto('/user');
    expect(new URL((await asked).url()).searchParams.get('order')).toBe('');
    const heads = ['ID', 'Username', 'Group', 'Statistics', 'Role', 'Status', 'Actions'];
    await expect(page.getByRole('columnheader')).toHaveText(heads);
    const row = rowOf(page, person);
    for (const words of [String(person.id), 'vip', 'default', 'Common user', 'Activated'])
      await expect(row.getByText(words, { exact: true })).toBeVisible();
    await expect(row.getByText('Left $1.50')).toBeVisible();
    await expect(row.getByText('Spent $0.00')).toBeVisible();
    await expect(row.getByText('Requests 0')).toBeVisible();
    await row.getByText(person.username, { exact: true }).hover();
    await expect(page.getByRole('tooltip')).toHaveText(/Wei Lin\s*No email bound/);
    await row.getByText('Left $1.50').hover();
    await expect(page.getByRole('tooltip').filter({ hasText: 'Remaining quota' })).toBeVisible();
  });

  for (const width of [1280, 390]) {
    test(`[S3.2 S9.11] no group is default and a long name is cut, in a window of ${width} pixels`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      await answerList(page, { username: 'a-name-of-twenty-one', group: '', email: 'long@example.com' });
      await page.goto('/user');
      const row = page.locator('main tbody tr, main ul > li').first();
      await expect(row).toContainText('a-name-of-twen…');
      await expect(row).not.toContainText('a-name-of-twenty');
      await expect(row).toContainText('default');
      await row.getByText('a-name-of-twen…').focus();
      await expect(page.getByRole('tooltip')).toHaveText(/a-name-of-twenty-one\s*long@example\.com/);
    });
  }

  test('[S4.2 S4.3 S4.8 S4.9 S4.10] names every role and status', async ({ page }) => {
    await answerList(
      page,
      { username: 'plain' },
      { username: 'admin', role: 10, status: 2 },
      { username: 'super', role: 100 },
      { username: 'odd', role: 7, status: 9 },
    );
    await page.goto('/user');
    const row = (index: number) => page.getByRole('row').nth(index);
    await expect(row(2)).toContainText(/Admin.*Banned/);
    await expect(row(3)).toContainText(/Super admin.*Activated/);
    await expect(row(4)).toContainText(/Unknown identity.*Unknown/);
  });

  test('[S2.68 S2.78 S2.79 S7.22] is searched with the trimmed keyword; an empty one brings back the plain list', async ({
    page,
    product,
  }) => {
    const person = await createPerson(product.url);
    const other = await createPerson(product.url);
    await page.goto('/user');
    const box = page.getByRole('searchbox', { name: 'Search by ID, name and email' });
    const searched = page.waitForRequest((request) => request.url().includes('/api/user/search?'));
    await box.fill(`  ${person.username} `);
    await box.press('Enter');
    expect(new URL((await searched).url()).searchParams.get('keyword')).toBe(person.username);
    await expect(rowOf(page, person)).toBeVisible();
    await expect(rowOf(page, other)).toHaveCount(0);
    await page.reload();
    await expect(rowOf(page, other)).toHaveCount(0);
    await box.fill('   ');
    await box.press('Enter');
    await expect(page).toHaveURL('/user');
    await expect(rowOf(page, other)).toBeVisible();
  });

  test('[S2.72 S7.21] the dropdown orders by remaining and used quota and by requests', async ({ page, product }) => {
    const rich = await createPerson(product.url, { quota: 9_000_000_000 });
    await createPerson(product.url, { quota: 5 });
    await page.goto('/user');
    const order = page.getByRole('combobox', { name: 'Order' });
    await expect(order.locator('option:checked')).toHaveText('Default order');
    await expect(order.locator('option')).toHaveText([
      'Default order',
      'Remaining quota',
      'Used quota',
      'Request count',
    ]);
    for (const [label, value] of [
      ['Used quota', 'used_quota'],
      ['Request count', 'request_count'],
      ['Remaining quota', 'quota'],
    ] as const) {
      const asked = page.waitForRequest((request) => request.url().includes(`order=${value}`));
      await order.selectOption(label);
      await asked;
    }
    // Root comes first: it has more than anybody.
    await expect(page.getByRole('row').nth(2)).toContainText(rich.username);
    await expect(page).toHaveURL('/user?order=quota');
  });

  test('[S2.70] is sorted by a click on each heading, the statistics by remaining quota', async ({ page, product }) => {
    const prefix = freshName('s');
    // Each heading orders the three differently from at least one other.
    const a = await createPerson(product.url, { username: `${prefix}-b`, group: 'vip', quota: 20 });
    const b = await createPerson(product.url, {
      username: `${prefix}-a`,
      group: 'default',
      quota: 30,
      role: role.admin,
    });
    const c = await createPerson(product.url, { username: `${prefix}-c`, group: 'svip', quota: 10 });
    const root = await asRoot(product.url);
    await root.call(userApi.manage, { body: { username: a.username, action: 'disable' } });
    await page.goto(`/user?keyword=${prefix}`);
    const names = page.getByRole('row').locator('td:nth-child(2)');
    for (const [title, ...ascending] of [
      ['ID', a, b, c],
      ['Username', b, a, c],
      ['Group', b, c, a],
      ['Statistics', c, a, b],
    ] as const) {
      const head = page.getByRole('columnheader', { name: title });
      await head.getByRole('button').click();
      await expect(head).toHaveAttribute('aria-sort', 'ascending');
      await expect(names).toHaveText(ascending.map(({ username }) => username));
      await head.getByRole('button').click();
      await expect(names).toHaveText(ascending.map(({ username }) => username).toReversed());
    }
    // Two of the three are equal in these: only who is alone at the end is certain.
    for (const [title, alone] of [
      ['Role', b],
      ['Status', a],
    ] as const) {
      const head = page.getByRole('columnheader', { name: title });
      await head.getByRole('button').click();
      await expect(names.last()).toHaveText(alone.username);
      await head.getByRole('button').click();
      await expect(names.first()).toHaveText(alone.username);
    }
  });

  test('[S2.73] goes from page to page, and the address knows which', async ({ page, product }) => {
    const group = freshName('p');
    const root = await asRoot(product.url);
    for (let count = 0; count < 11; count++) {
      const username = `${group}${count}`;
      await root.call(userApi.create, { body: { username, display_name: username, password: 'password-1' } });
    }
    await page.goto(`/user?keyword=${group}`);
    await expect(page.getByText('1–10 of 11')).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText('11–11 of 11')).toBeVisible();
    await expect(page).toHaveURL(`/user?keyword=${group}&page=2`);
    await page.reload();
    await expect(rowOf(page, { username: `${group}0` })).toBeVisible();
  });

  test('[S4.4] disable is offered to the active, enable to everybody else', async ({ page }) => {
    await answerList(
      page,
      { username: 'active', status: 1 },
      { username: 'banned', status: 2 },
      { username: 'odd', status: 9 },
    );
    await page.goto('/user');
    for (const [username, offered, other] of [
      ['active', 'Disable', 'Enable'],
      ['banned', 'Enable', 'Disable'],
      ['odd', 'Enable', 'Disable'],
    ] as const) {
      await openMenu(page, { username, password: '' });
      await expect(page.getByRole('menuitem', { name: offered, exact: true })).toBeEnabled();
      await expect(page.getByRole('menuitem', { name: other, exact: true })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menuitem')).toHaveCount(0);
    }
  });

  test('[S2.77 S4.6 S7.23 S7.24 S8.12] a user is banned and let in again', async ({ page, product }) => {
    const person = await createPerson(product.url);
    const theirs = await clientOf(product.url, person);
    await openList(page, person);
    await openMenu(page, person);
    await expect(page.getByRole('menuitem', { name: 'Enable' })).toHaveCount(0);
    const sent = page.waitForRequest(isManage);
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    expect((await sent).postDataJSON()).toEqual({ username: person.username, action: 'disable' });
    await expect(rowOf(page, person).getByText('Banned')).toBeVisible();
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    await expect(theirs.call(userApi.self)).rejects.toThrow();
    await openMenu(page, person);
    await expect(page.getByRole('menuitem', { name: 'Disable' })).toHaveCount(0);
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await expect(rowOf(page, person).getByText('Activated')).toBeVisible();
  });

  test('[S2.74 S2.75 S4.6 S4.8] promotes and demotes; the row takes its role from the reply', async ({
    page,
    product,
  }) => {
    const person = await createPerson(product.url);
    await openList(page, person);
    await choose(page, person, 'Promote');
    await expect(rowOf(page, person).getByText('Admin', { exact: true })).toBeVisible();
    await choose(page, person, 'Promote');
    await expect(page.getByText('This user is already an admin')).toBeVisible();
    await choose(page, person, 'Demote');
    await expect(rowOf(page, person).getByText('Common user')).toBeVisible();
    await page.route('**/api/user/manage', (route) =>
      route.fulfill({ json: { success: true, message: '', data: { status: 2, role: 10 } } }),
    );
    await choose(page, person, 'Promote');
    await expect(rowOf(page, person)).toContainText(/Admin.*Banned/);
  });

  test('[S2.76 S4.5 S3.3] deletes after asking by name; the row is gone at once', async ({ page, product }) => {
    const person = await createPerson(product.url);
    await openList(page, person);
    await choose(page, person, 'Delete');
    const question = page.getByRole('dialog');
    await expect(question.getByText(`Delete user ${person.username}?`)).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(rowOf(page, person)).toBeVisible();
    await choose(page, person, 'Delete');
    const sent = page.waitForRequest(isManage);
    await question.getByRole('button', { name: 'Delete user' }).click();
    expect((await sent).postDataJSON()).toEqual({ username: person.username, action: 'delete' });
    await expect(rowOf(page, person)).toHaveCount(0);
    const root = await asRoot(product.url);
    await expect(root.call(userApi.get, { params: { id: person.id } })).rejects.toThrow();
  });

  test('a ban the server refuses is taken back, with the reason', async ({ page, product }) => {
    const person = await createPerson(product.url);
    await openList(page, person);
    await page.route('**/api/user/manage', (route) =>
      route.fulfill({ json: { success: false, message: 'Not this one' } }),
    );
    await choose(page, person, 'Disable');
    await expect(page.getByText('Not this one')).toBeVisible();
    await expect(rowOf(page, person).getByText('Activated')).toBeVisible();
  });

  test('[S1.20 S6.11 S6.12] of a super admin only the form is in reach', async ({ page }) => {
    await page.goto('/user?keyword=root');
    await openMenu(page, rootAccount);
    for (const action of ['Promote', 'Demote', 'Disable', 'Reset second factor', 'Delete'])
      await expect(page.getByRole('menuitem', { name: action })).toBeDisabled();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Edit: root' }).click();
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('root');
  });

  test('[S2.83] the own row of root leads to the own profile, which has neither group nor quota', async ({ page }) => {
    await page.goto('/user?keyword=root');
    await page.getByRole('link', { name: 'Edit: root' }).click();
    await expect(page).toHaveURL('/user/edit');
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('root');
    await expect(page.getByLabel('Group')).toHaveCount(0);
    await expect(page.getByLabel('Remaining quota')).toHaveCount(0);
  });

  test('on a phone a user is a card', async ({ page, product }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const person = await createPerson(product.url, { quota: 1_000_000 });
    await openList(page, person);
    const card = page.getByRole('listitem').filter({ hasText: person.username });
    for (const words of ['Activated', 'Common user', '$2.00']) await expect(card.getByText(words)).toBeVisible();
    await choose(page, person, 'Disable');
    await expect(card.getByText('Banned')).toBeVisible();
  });
});

test.describe('a new user', () => {
  test.beforeEach(({ page }) => signInAs(page, rootAccount));

  test('[S2.19 S2.71 S7.28 S8.25] is made and can sign in', async ({ page, product }) => {
    const username = freshName();
    await page.goto('/user');
    await page.getByRole('link', { name: 'Add user' }).click();
    await expect(page).toHaveURL('/user/add');
    await page.getByRole('textbox', { name: 'Username' }).fill(username);
    await page.getByRole('textbox', { name: 'Display name' }).fill('New One');
    await page.getByLabel(/^Password/).fill('password-9');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Create user' }).click();
    expect((await sent).postDataJSON()).toEqual({ username, display_name: 'New One', password: 'password-9' });
    await expect(page.getByText('User account created')).toBeVisible();
    await expect(page).toHaveURL('/user');
    await expect(rowOf(page, { username })).toBeVisible();
    await clientOf(product.url, { username, password: 'password-9' });
  });

  test('[S5.13 S5.14] without a name or a password nothing is sent or said; the fields are marked', async ({
    page,
  }) => {
    let calls = 0;
    page.on('request', (request) => void (request.method() === 'POST' && calls++));
    await page.goto('/user/add');
    await expect(page.getByText('Minimum 8 characters')).toBeVisible();
    const password = page.getByLabel(/^Password/);
    const username = page.getByRole('textbox', { name: 'Username' });
    await page.getByRole('button', { name: 'Create user' }).click();
    await expect(username).toHaveAttribute('aria-invalid', 'true');
    await expect(username).toBeFocused();
    await expect(password).toHaveAttribute('aria-invalid', 'true');
    await username.fill('somebody');
    await page.getByRole('button', { name: 'Create user' }).click();
    await expect(password).toBeFocused();
    await expect(page.locator('[data-kind]')).toHaveCount(0);
    await password.fill('short');
    await page.getByRole('button', { name: 'Create user' }).click();
    await expect(page.locator('[data-kind="warning"]')).toHaveText(
      /Password length must not be less than 8 characters!/,
    );
    expect(calls).toBe(0);
  });

  test('[S8.8] a name that is taken is told, and the form stays as it was', async ({ page, product }) => {
    const person = await createPerson(product.url);
    await page.goto('/user/add');
    await page.getByRole('textbox', { name: 'Username' }).fill(person.username);
    await page.getByLabel(/^Password/).fill('password-9');
    await page.getByRole('button', { name: 'Create user' }).click();
    await expect(page.locator('[data-kind="error"]')).toBeVisible();
    await expect(page.getByLabel(/^Password/)).toHaveValue('password-9');
  });
});

test.describe('the form of another user', () => {
  test.beforeEach(({ page }) => signInAs(page, rootAccount));

  test('[S2.83] has group and quota, which the form of a new user has not', async ({ page, product }) => {
    const person = await createPerson(product.url, { quota: 750_000, group: 'vip,default' });
    await page.goto(`/user/edit/${person.id}`);
    await expect(page.getByRole('combobox', { name: 'Group' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Remaining quota' })).toHaveValue('750,000');
    await page.goto('/user/add');
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    await expect(page.getByLabel('Group')).toHaveCount(0);
    await expect(page.getByLabel('Remaining quota')).toHaveCount(0);
  });

  test('[S2.21 S2.80 S2.81 S2.82 S3.6 S7.26] shows everything; bindings are read-only, the password is blank', async ({
    page,
    product,
  }) => {
    const person = await createPerson(product.url, { quota: 750_000, group: 'vip,default', display_name: 'Wei' });
    await openList(page, person);
    await page.getByRole('link', { name: `Edit: ${person.username}` }).click();
    await expect(page).toHaveURL(`/user/edit/${person.id}`);
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(person.username);
    await expect(page.getByRole('textbox', { name: 'Display name' })).toHaveValue('Wei');
    await expect(page.getByLabel('New password')).toHaveValue('');
    await expect(page.getByRole('textbox', { name: 'Remaining quota' })).toHaveValue('750,000');
    await expect(page.getByText('Worth $1.50')).toBeVisible();
    for (const bound of ['GitHub ID', 'WeChat ID', 'Email'])
      await expect(page.getByRole('textbox', { name: bound })).not.toBeEditable();
    await expect(page.getByText('Read-only: the user binds these in the personal settings')).toBeVisible();
  });

  test('[S3.4 S3.5 S7.27 S8.26] is saved with whole quota and groups in their order, and the list is as it was', async ({
    page,
    product,
  }) => {
    const person = await createPerson(product.url);
    await openList(page, person);
    await page.getByRole('link', { name: `Edit: ${person.username}` }).click();
    await page.getByRole('textbox', { name: 'Display name' }).fill('Somebody Else');
    await page.getByRole('textbox', { name: 'Remaining quota' }).fill('1234567');
    await page.getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option', { name: 'vip', exact: true }).click();
    await page.keyboard.press('Escape');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save user' }).click();
    expect((await sent).postDataJSON()).toEqual({
      id: person.id,
      display_name: 'Somebody Else',
      group: 'default,vip',
      quota: 1_234_567,
      quota_was: person.quota,
    });
    await expect(page.getByText('User info updated')).toBeVisible();
    await expect(page).toHaveURL(`/user?keyword=${person.username}`);
    const root = await asRoot(product.url);
    expect(await root.call(userApi.get, { params: { id: person.id } })).toMatchObject({
      display_name: 'Somebody Else',
      group: 'default,vip',
      quota: 1_234_567,
    });
    // The blank password left the old one.
    await clientOf(product.url, person);
  });

  test('[S7.7] offers the groups the server gives', async ({ page, product }) => {
    await page.route('**/api/group/', (route) =>
      route.fulfill({ json: { success: true, message: '', data: ['default', 'only-here'] } }),
    );
    const person = await createPerson(product.url);
    await page.goto(`/user/edit/${person.id}`);
    await page.getByRole('combobox', { name: 'Group' }).click();
    await expect(page.getByRole('option')).toHaveText(['default', 'only-here']);
  });

  test('cancel leads back to the list as it was left', async ({ page, product }) => {
    const person = await createPerson(product.url);
    await openList(page, person);
    await page.getByRole('link', { name: `Edit: ${person.username}` }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(`/user?keyword=${person.username}`);
  });
});

test.describe('the own profile', () => {
  test('[S2.20 S2.80 S2.81 S2.82 S2.84] shows names, a blank password and what is bound', async ({ page, product }) => {
    const person = await createPerson(product.url, { quota: 1000, group: 'vip' });
    await signInAs(page, person);
    await page.goto('/user/edit');
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(person.username);
    await expect(page.getByLabel('New password')).toHaveValue('');
    for (const bound of ['GitHub ID', 'WeChat ID', 'Email'])
      await expect(page.getByRole('textbox', { name: bound })).not.toBeEditable();
    await expect(page.getByLabel('Group')).toHaveCount(0);
    await expect(page.getByLabel('Remaining quota')).toHaveCount(0);
  });

  test('[S1.8 S7.25 S8.26] changes names and password, nothing else', async ({ page, product }) => {
    const person = await createPerson(product.url);
    await signInAs(page, person);
    await page.goto('/user/edit');
    await page.getByRole('textbox', { name: 'Display name' }).fill('New Name');
    await page.getByLabel('New password').fill('password-7');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save profile' }).click();
    expect(new URL((await sent).url()).pathname).toBe('/api/user/self');
    expect((await sent).postDataJSON()).toEqual({ display_name: 'New Name', password: 'password-7' });
    await expect(page.getByText('User info updated')).toBeVisible();
    await expect(page.getByLabel('New password')).toHaveValue('');
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'));
    expect(stored).toMatchObject({ username: person.username, display_name: 'New Name' });
    await clientOf(product.url, { ...person, password: 'password-7' });
  });

  test('[S5.2] a password that is too short or too long is marked and not sent', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url));
    let calls = 0;
    page.on('request', (request) => void (request.method() === 'PUT' && calls++));
    await page.goto('/user/edit');
    await page.getByLabel('New password').fill('short');
    await expect(page.getByText('Password length must not be less than 8 characters!')).toBeVisible();
    await page.getByLabel('New password').fill('123456789-123456789-1');
    await expect(page.getByText('Password length must not be more than 20 characters!')).toBeVisible();
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(page.locator('[data-kind="warning"]')).toBeVisible();
    expect(calls).toBe(0);
  });

  test('cancel leads to the settings', async ({ page, product }) => {
    await signInAs(page, await createPerson(product.url));
    await page.goto('/user/edit');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/setting/);
  });
});

test('[S2.38 S6.4] admins see the users and reach their own profile from there; ordinary users are told no', async ({
  page,
  product,
}) => {
  const admin = await createPerson(product.url, { role: role.admin });
  await signInAs(page, admin);
  await page.goto(`/user?keyword=${admin.username}`);
  await page.getByRole('link', { name: `Edit: ${admin.username}` }).click();
  await expect(page).toHaveURL('/user/edit');
  await signInAs(page, await createPerson(product.url));
  for (const path of ['/user', '/user/add', '/user/edit/1']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: 'Not allowed' })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
});

test('an admin who opens the form of a super admin is told why not', async ({ page, product }) => {
  const admin = await createPerson(product.url, { role: role.admin });
  await signInAs(page, admin);
  await page.goto('/user/edit/1');
  await expect(page.getByText('This could not be loaded')).toBeVisible();
});
