import { randomBytes } from 'node:crypto';
import { type Account, createTestUser, type TestUser } from '@headgate/testkit';
import type { Page } from '@playwright/test';

export {
  type Account,
  asRoot,
  createTestUser,
  rootAccount,
  setOption,
  signedInClient,
  type TestUser,
  uniqueName,
} from '@headgate/testkit';

/** Creates a common user, signs in and opens this page. */
export async function openAsNewUser(page: Page, url: string, path: string): Promise<TestUser> {
  const person = await createTestUser(url);
  await signInAs(page, person);
  await page.goto(path);
  return person;
}

/** Signs the browser in with one API call. `url` is only needed for a product other than the worker's. */
export async function signInAs(page: Page, { username, password }: Account, url = ''): Promise<void> {
  const loginResponse = await page.request.post(`${url}/api/user/login`, { data: { username, password } });
  const { success, message, data } = (await loginResponse.json()) as {
    success: boolean;
    message: string;
    data: unknown;
  };
  if (!success) throw new Error(message);
  // Runs only on the next page load, so that a user who signs out stays signed out.
  await page.addInitScript(
    ({ key, user }) => {
      if (sessionStorage.getItem(key)) return;
      sessionStorage.setItem(key, 'done');
      localStorage.setItem('user', user);
    },
    { key: `signed-in-${randomBytes(6).toString('hex')}`, user: JSON.stringify(data) },
  );
}
