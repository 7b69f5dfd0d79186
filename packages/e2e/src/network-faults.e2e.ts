import { role, tokenApi } from '@headgate/contract';
import type { Locator, Page, Route } from '@playwright/test';
import { clientOf, createPerson, type Person, signInAs } from './people.ts';
import { expect, test } from './product.ts';

interface Fault {
  readonly answer: (route: Route) => Promise<void>;
  readonly words: string;
}

const unreadable = '错误：The server sent an answer that cannot be read';

/** Ways in which a call can go wrong without anybody having decided anything. */
const faults: readonly Fault[] = [
  {
    answer: (route) => route.abort('connectionrefused'),
    words: '错误：The server cannot be reached. Check the connection and try again.',
  },
  { answer: (route) => route.fulfill({ status: 500, body: '' }), words: '错误：服务器内部错误，请联系管理员！' },
  {
    answer: (route) => route.fulfill({ status: 429, json: { success: false, message: 'Too many' } }),
    words: '错误：请求次数过多，请稍后再试！',
  },
  { answer: (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }), words: '错误：HTTP 502' },
  { answer: (route) => route.fulfill({ body: '<h1>Welcome to the hotel</h1>' }), words: unreadable },
  { answer: (route) => route.fulfill({ json: { success: true, message: '' } }), words: unreadable },
  { answer: (route) => route.fulfill({ json: [] }), words: unreadable },
];

interface Surface {
  readonly what: string;
  readonly path: (tokenId: number) => string;
  /** The call that goes wrong. */
  readonly call: RegExp;
  /** Said in place of the content. */
  readonly failure: string;
  readonly content: (page: Page) => Locator;
}

const surfaces: readonly Surface[] = [
  {
    what: 'a list',
    path: () => '/token',
    call: /\/api\/token\/\?/,
    failure: 'The list could not be loaded',
    content: (page) => page.getByText('my token', { exact: true }),
  },
  {
    what: 'a form',
    path: (id) => `/token/edit/${id}`,
    call: /\/api\/token\/\d+$/,
    failure: 'This could not be loaded',
    content: (page) => page.getByLabel('Name'),
  },
  {
    what: 'the settings',
    path: () => '/setting?tab=operation',
    call: /\/api\/option\/\?/,
    failure: 'The settings could not be loaded',
    content: (page) => page.getByLabel('Quota per dollar'),
  },
];

const told = (page: Page, words: string) => page.locator('[data-kind="error"]').filter({ hasText: words });

async function adminWithToken(url: string): Promise<{ readonly person: Person; readonly tokenId: number }> {
  const person = await createPerson(url, { role: role.admin });
  const client = await clientOf(url, person);
  await client.call(tokenApi.create, { body: { name: 'my token' } });
  const [token] = await client.call(tokenApi.list, { query: {} });
  return { person, tokenId: token?.id ?? 0 };
}

for (const { what, path, call, failure, content } of surfaces) {
  test(`${what} that does not come says why, whatever the fault, and comes with another try`, async ({
    page,
    product,
  }) => {
    const { person, tokenId } = await adminWithToken(product.url);
    await signInAs(page, person);
    let answer: Fault['answer'] = (route) => route.continue();
    await page.route(call, (route) => answer(route));
    for (const fault of faults) {
      answer = fault.answer;
      if (fault === faults[0]) await page.goto(path(tokenId));
      else await page.getByRole('button', { name: 'Try again' }).click();
      await expect(told(page, fault.words)).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('alert').filter({ hasText: failure })).toBeVisible();
    }
    answer = (route) => route.continue();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(content(page)).toBeVisible();
    await expect(page.getByText(failure)).toHaveCount(0);
  });

  test(`${what} that takes its time leaves the rest usable`, async ({ page, product }) => {
    const { person, tokenId } = await adminWithToken(product.url);
    await signInAs(page, person);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(path(tokenId));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(content(page)).toHaveCount(0);
    await page.getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
    await page.goBack();
    release();
    await expect(content(page)).toBeVisible();
  });

  test(`[S2.32 S8.2] ${what} after the session has ended: login, and back to where one was`, async ({
    page,
    product,
  }) => {
    const { person, tokenId } = await adminWithToken(product.url);
    await signInAs(page, person);
    await page.route(call, (route) => route.fulfill({ status: 401, json: { success: false, message: 'who?' } }));
    await page.goto(path(tokenId));
    await expect(page).toHaveURL('/login?expired=true');
    await expect(page.getByText('Not logged in or login expired, please log in again!')).toBeVisible();
    await page.unroute(call);
    await page.getByLabel('Username or email').fill(person.username);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(path(tokenId));
    await expect(content(page)).toBeVisible();
  });
}

/** Faults of answers that carry data do not concern a call that answers none. */
const savingFaults = faults.slice(0, 5);

test('what cannot be saved stays as it was typed, for another try', async ({ page, product }) => {
  const { person, tokenId } = await adminWithToken(product.url);
  await signInAs(page, person);
  let answer: Fault['answer'] = (route) => route.continue();
  await page.route(
    (url) => url.pathname === '/api/token/' || url.pathname === '/api/option/',
    (route) => (route.request().method() === 'PUT' ? answer(route) : route.continue()),
  );
  await page.goto(`/token/edit/${tokenId}`);
  await page.getByLabel('Name').fill('better name');
  for (const fault of savingFaults) {
    answer = fault.answer;
    await page.getByRole('button', { name: 'Save token' }).click();
    await expect(told(page, fault.words)).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('better name');
    await expect(page.getByRole('button', { name: 'Save token' })).toBeEnabled();
  }
  answer = (route) => route.continue();
  await page.getByRole('button', { name: 'Save token' }).click();
  await expect(page).toHaveURL('/token');
  await expect(page.getByText('better name')).toBeVisible();

  await page.goto('/setting?tab=operation');
  const field = page.getByLabel('Retry times');
  await field.fill('3');
  for (const fault of savingFaults) {
    answer = fault.answer;
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(told(page, fault.words)).toBeVisible();
    await expect(field).toHaveValue('3');
  }
});
