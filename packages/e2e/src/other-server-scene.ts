import { expect, type Page, test as plainTest } from '@playwright/test';
import { type StandIn, startStandIn } from './stand-in.ts';
import { watchMessages } from './watch-messages.ts';

/** Calls of ours that another server need not have: what they would give is left out without a word. */
const optionalCalls = ['GET /api/notice', 'GET /api/about', 'GET /api/home_page_content', 'GET /api/log/export'];

interface Scene {
  readonly server: StandIn;
  /** Says on the phone what a table says on a wide screen. */
  readonly isPhone: boolean;
  /** Messages of errors, and crashes of the page. A test that expects one takes it out; it fails for what is left. */
  readonly complaints: string[];
  /** How the server says that it does not have a call. */
  readonly missingAs: 'html' | 'json';
}

export const test = plainTest.extend<Scene>({
  missingAs: ['html', { option: true }],
  server: async ({ missingAs }, use) => {
    const server = await startStandIn(missingAs);
    await use(server);
    expect([...server.unknownCalls].filter((call) => !optionalCalls.includes(call))).toEqual([]);
    await server.stop();
  },
  baseURL: ({ server }, use) => use(server.url),
  isPhone: ({ viewport }, use) => use((viewport?.width ?? 0) <= 600),
  complaints: [
    async ({ page }, use) => {
      const complaints = await watchMessages(page, '[data-kind="error"]');
      page.on('pageerror', ({ message }) => complaints.push(message));
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

export const rows = (page: Page) => page.locator('main tbody tr, main ul:not([aria-label]) > li');
export const rowOf = (page: Page, words: string) => rows(page).filter({ hasText: words });
export const says = (page: Page, words: string) =>
  expect(page.locator('[data-kind]').filter({ hasText: words }).first()).toBeVisible();
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const fill = (page: Page, name: string, value: string) =>
  page.getByRole('textbox', { name, exact: true }).first().fill(value);

export async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await fill(page, 'Username or email', 'admin');
  await page.getByLabel('Password', { exact: true }).fill('password-1');
  await press(page, 'Log in');
  await expect(page).toHaveURL('/token');
}

export async function choose(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${row}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

export async function search(page: Page, keyword: string): Promise<void> {
  await page.getByRole('searchbox').fill(keyword);
  await page.getByRole('searchbox').press('Enter');
}

/** Two full pages and three rows, one after the other; behind the last there is nothing. */
export async function walkPages(page: Page, name: string): Promise<void> {
  await expect(rows(page)).toHaveCount(10);
  await expect(page.getByText('1–10', { exact: true })).toBeVisible();
  for (const [first, count] of [
    [11, 10],
    [21, 3],
  ] as const) {
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.getByText(`${first}–${first + count - 1}`, { exact: true })).toBeVisible();
    await expect(rows(page)).toHaveCount(count);
  }
  await expect(rowOf(page, name).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
}

/** A search is one page, however many it finds. */
export async function searchEverything(page: Page, keyword: string, count: number): Promise<void> {
  await search(page, keyword);
  await expect(rows(page)).toHaveCount(count);
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
}

export const screens = {
  'a wide screen': { width: 1280, height: 900 },
  'a phone': { width: 390, height: 844 },
} as const;
