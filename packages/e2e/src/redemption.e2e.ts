import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Redemption, redemptionApi, role, userApi } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { asRoot, clientOf, createPerson, freshName, rootAccount, signInAs } from './people.ts';
import { expect, type Product, test } from './product.ts';

/** Codes of one name, newest first. */
async function createCodes(url: string, { name = freshName('code'), quota = 100_000, count = 1 } = {}) {
  const root = await asRoot(url);
  await root.call(redemptionApi.create, { body: { name, quota, count } });
  return (await root.call(redemptionApi.search, { query: { keyword: name } })) as [Redemption, ...Redemption[]];
}

/** Stores what only time brings about. */
function changeCode(product: Product, { id }: Redemption, changes: Partial<Redemption>): void {
  const database = new DatabaseSync(join(product.folder, 'headgate.db'), { timeout: 30_000 });
  try {
    for (const [column, value] of Object.entries(changes))
      database.prepare(`update redemptions set ${column} = ? where id = ?`).run(value, id);
  } finally {
    database.close();
  }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, { name, id }: Redemption, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name} #${id}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const openList = (page: Page, name: string) => page.goto(`/redemption?keyword=${encodeURIComponent(name)}`);

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test.describe('the list of codes', () => {
  test('[S2.16 S3.42 S7.53 S9.8 S9.16] shows id, name, status, quota, times and a masked key', async ({
    page,
    product,
  }) => {
    const [code] = await createCodes(product.url, { quota: 1_250_000 });
    const asked = page.waitForRequest((request) => /\/api\/redemption\/\?.*\bp=0\b/.test(request.url()));
    await page.goto('/redemption');
    await asked;
    await expect(page.getByRole('heading', { level: 1, name: 'Redemption codes' })).toBeVisible();
    const row = rowOf(page, code.name);
    const created = new Date(code.created_time * 1000).toISOString().slice(0, 19).replace('T', ' ');
    for (const words of [String(code.id), 'Unused', '$2.50', created, 'Not redeemed yet'])
      await expect(row.getByText(words, { exact: true })).toBeVisible();
    await expect(row.getByText(code.key)).toHaveCount(0);
    await row.getByRole('button', { name: 'Show key' }).click();
    await expect(page.getByRole('dialog', { name: 'Key' }).getByText(code.key)).toBeVisible();
  });

  test('[S2.148 S7.54] is searched by id and name', async ({ page, product }) => {
    const [code] = await createCodes(product.url);
    await createCodes(product.url);
    await page.goto('/redemption');
    const box = page.getByRole('searchbox', { name: 'Search by ID and name' });
    for (const keyword of [String(code.id), code.name.toUpperCase(), ` ${code.name.slice(2)} `]) {
      const asked = page.waitForRequest((request) => request.url().includes('/api/redemption/search?'));
      await box.fill(keyword);
      await box.press('Enter');
      expect(new URL((await asked).url()).searchParams.get('keyword')).toBe(keyword.trim());
      await expect(rowOf(page, code.name)).toBeVisible();
    }
    await box.fill('nothing-is-called-so');
    await box.press('Enter');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expect(rowOf(page, code.name)).toBeVisible();
  });

  test('[S2.149] is sorted by a click on each heading, and back', async ({ page, product }) => {
    const name = freshName('sort');
    const make = async (letter: string, quota: number) =>
      (await createCodes(product.url, { name: `${name}-${letter}`, quota }))[0];
    const a = await make('b', 300);
    const b = await make('a', 200);
    const c = await make('c', 100);
    changeCode(product, a, { status: 2, created_time: 1_700_000_500, redeemed_time: 1_700_009_000 });
    changeCode(product, b, { status: 3, created_time: 1_700_000_900, redeemed_time: 1_700_002_000 });
    changeCode(product, c, { status: 1, created_time: 1_700_000_100, redeemed_time: 0 });
    await openList(page, name);
    const ids = page.getByRole('row').locator('td:first-child');
    for (const [title, ...ascending] of [
      ['ID', a, b, c],
      ['Name', b, a, c],
      ['Status', c, a, b],
      ['Quota', c, b, a],
      ['Created', c, a, b],
      ['Redeemed', c, b, a],
    ] as const) {
      const head = page.getByRole('columnheader', { name: title });
      await head.getByRole('button').click();
      await expect(head).toHaveAttribute('aria-sort', 'ascending');
      await expect(ids).toHaveText(ascending.map(({ id }) => String(id)));
      await head.getByRole('button').click();
      await expect(head).toHaveAttribute('aria-sort', 'descending');
      await expect(ids).toHaveText(ascending.map(({ id }) => String(id)).toReversed());
    }
  });

  test('[S2.150] copies the whole key of a row', async ({ page, product, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [code] = await createCodes(product.url);
    await openList(page, code.name);
    await page.getByRole('button', { name: `Copy key: ${code.name}` }).click();
    await expect(page.getByText('Copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code.key);
  });

  test('a key the browser will not copy is put into the search box, and not searched for', async ({
    page,
    product,
  }) => {
    const [code] = await createCodes(product.url);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await openList(page, code.name);
    await page.getByRole('button', { name: `Copy key: ${code.name}` }).click();
    await expect(page.getByText('Unable to copy to the clipboard, please copy manually')).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveValue(code.key);
    await expect(rowOf(page, code.name)).toBeVisible();
  });

  test('[S2.152 S7.58 S8.12] disables and enables a code, and sends nothing but the status', async ({
    page,
    product,
  }) => {
    const [code] = await createCodes(product.url);
    await openList(page, code.name);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await choose(page, code, 'Disable');
    expect(new URL((await sent).url()).search).toBe('?status_only=true');
    expect((await sent).postDataJSON()).toEqual({ id: code.id, status: 2 });
    await expect(page.getByText('Operation completed successfully')).toBeVisible();
    await expect(rowOf(page, code.name).getByText('Disabled')).toBeVisible();
    await choose(page, code, 'Enable');
    await expect(rowOf(page, code.name).getByText('Unused')).toBeVisible();
    const root = await asRoot(product.url);
    // The list shows it before the server has stored it.
    await expect.poll(async () => (await root.call(redemptionApi.get, { params: { id: code.id } })).status).toBe(1);
  });

  test('a switch the server refuses goes back, with the reason', async ({ page, product }) => {
    const [code] = await createCodes(product.url);
    await openList(page, code.name);
    await page.route('**/api/redemption/?status_only=true', (route) =>
      route.fulfill({ json: { success: false, message: 'Not today' } }),
    );
    await choose(page, code, 'Disable');
    await expect(page.getByText('Not today')).toBeVisible();
    await expect(rowOf(page, code.name).getByText('Unused')).toBeVisible();
  });

  test('[S2.151 S7.59] deletes a code after asking', async ({ page, product }) => {
    const [code, other] = await createCodes(product.url, { count: 2 });
    await openList(page, code.name);
    await choose(page, code, 'Delete');
    const question = page.getByRole('dialog');
    await expect(question.getByText(`Delete redemption code ${code.name} #${code.id}?`)).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('row')).toHaveCount(3);
    await choose(page, code, 'Delete');
    const sent = page.waitForRequest((request) => request.method() === 'DELETE');
    await question.getByRole('button', { name: 'Delete code' }).click();
    expect(new URL((await sent).url()).pathname).toBe(`/api/redemption/${code.id}/`);
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('button', { name: `More actions for ${other?.name} #${other?.id}` })).toBeVisible();
  });
});

test.describe('making codes', () => {
  test('[S2.17 S2.154 S2.155 S9.26 S9.27] the form starts with its defaults', async ({ page }) => {
    await page.goto('/redemption/add');
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('');
    await expect(page.getByRole('textbox', { name: 'Quota' })).toHaveValue('100,000');
    await expect(page.getByText('Worth $0.20')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Count' })).toHaveValue('1');
  });

  test('[S5.49] a code without a name is not made, and the field says why', async ({ page }) => {
    let calls = 0;
    page.on('request', (request) => void (request.method() === 'POST' && calls++));
    await page.goto('/redemption/add');
    await page.getByRole('button', { name: 'Create codes' }).click();
    await expect(page.getByText('Please enter a name')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    expect(calls).toBe(0);
  });

  test('[S2.156 S5.50 S5.51 S7.56 S8.28] the codes are downloaded, shown, and work', async ({
    page,
    product,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const name = `a/b ${freshName('')}`;
    await page.goto('/redemption');
    await page.getByRole('link', { name: 'Add codes' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(` ${name} `);
    await page.getByRole('textbox', { name: 'Quota' }).fill('750000.9');
    await page.getByRole('textbox', { name: 'Count' }).fill('3.2');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Create codes' }).click();
    expect((await sent).postDataJSON()).toEqual({ name, quota: 750_000, count: 3 });
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${name.replace('/', '_')}.txt`);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toMatch(/^(\S+\n){3}$/);
    await expect(page.getByText('Redemption created').first()).toBeVisible();

    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Codes made: 3, worth $1.50 each.')).toBeVisible();
    await expect(dialog.getByRole('textbox')).toHaveValue(text.trimEnd());
    await dialog.getByRole('button', { name: 'Copy all' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL('/redemption');
    await expect(rowOf(page, name)).toHaveCount(3);

    const person = await createPerson(product.url);
    const client = await clientOf(product.url, person);
    expect(await client.call(userApi.redeem, { body: { key: text.split('\n')[0] ?? '' } })).toBe(750_000);
  });

  test('what the server refuses is said, and the form stays as it was', async ({ page }) => {
    await page.goto('/redemption/add');
    await page.getByRole('textbox', { name: 'Name' }).fill('many');
    await page.getByRole('textbox', { name: 'Count' }).fill('1000000');
    await page.getByRole('button', { name: 'Create codes' }).click();
    await expect(page.locator('[data-kind="error"]')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('many');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test.describe('changing a code', () => {
  test('[S2.17 S2.153 S2.155 S7.55 S7.57 S8.28] name and quota are changed, there is no count, and the list is as it was', async ({
    page,
    product,
  }) => {
    const [code] = await createCodes(product.url);
    await openList(page, code.name);
    await choose(page, code, 'Edit');
    await expect(page).toHaveURL(`/redemption/edit/${code.id}`);
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(code.name);
    await expect(page.getByRole('textbox', { name: 'Count' })).toHaveCount(0);
    await page.getByRole('textbox', { name: 'Quota' }).fill('5000000');
    await expect(page.getByText('Worth $10.00')).toBeVisible();
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save code' }).click();
    expect((await sent).postDataJSON()).toEqual({ id: code.id, quota: 5_000_000 });
    await expect(page.getByText('Redemption updated')).toBeVisible();
    await expect(page).toHaveURL(`/redemption?keyword=${code.name}`);
    await expect(rowOf(page, code.name).getByText('$10.00')).toBeVisible();
  });

  test('[S2.152 S4.20 S4.21] a used code cannot be switched or changed, and says why', async ({ page, product }) => {
    const [code] = await createCodes(product.url);
    const person = await createPerson(product.url);
    await (await clientOf(product.url, person)).call(userApi.redeem, { body: { key: code.key } });
    await openList(page, code.name);
    await expect(rowOf(page, code.name).getByText('Used', { exact: true })).toBeVisible();
    await expect(rowOf(page, code.name).getByText('Not redeemed yet')).toHaveCount(0);
    await page.getByRole('button', { name: `More actions for ${code.name} #${code.id}` }).click();
    await expect(page.getByRole('menuitem', { name: 'Disable' })).toBeDisabled();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expect(page.getByText('This code has been used')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).not.toBeEditable();
    await expect(page.getByRole('textbox', { name: 'Quota' })).not.toBeEditable();
    await expect(page.getByRole('button', { name: 'Save code' })).toHaveCount(0);
    await page.getByRole('link', { name: 'See the user who redeemed it' }).click();
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(person.username);
  });

  test('a code that is not there says so and offers another try', async ({ page }) => {
    await page.goto('/redemption/edit/999999');
    await expect(page.getByText('This could not be loaded')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

test('[S2.38 S6.4] admins see the codes, ordinary users neither the entry nor the page', async ({ page, product }) => {
  const admin = await createPerson(product.url, { role: role.admin });
  await signInAs(page, admin);
  await page.goto('/');
  await page.getByRole('link', { name: 'Redemption codes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Redemption codes' })).toBeVisible();
  await signInAs(page, await createPerson(product.url));
  await page.goto('/redemption');
  await expect(page.getByRole('heading', { level: 1, name: 'Not allowed' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Redemption codes' })).toHaveCount(0);
});

test('on a phone a code is a card with everything in one menu', async ({ page, product }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const [code] = await createCodes(product.url);
  await openList(page, code.name);
  const card = page.getByRole('listitem').filter({ hasText: `${code.name} #${code.id}` });
  await expect(card.getByText('Unused')).toBeVisible();
  await choose(page, code, 'Disable');
  await expect(card.getByText('Disabled')).toBeVisible();
});
