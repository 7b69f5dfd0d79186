import { randomBytes } from 'node:crypto';
import { type Data, defaultRoot, type OptionKey, optionApi, role, sessionApi, userApi } from '@headgate/contract';
import { ApiClient } from './api-client.ts';

export interface Account {
  readonly username: string;
  readonly password: string;
}

export type TestUser = Account & Data<typeof userApi.get>;

interface TestUserOptions extends Partial<Account> {
  readonly display_name?: string;
  readonly group?: string;
  readonly quota?: number;
  readonly role?: typeof role.common | typeof role.admin;
}

/** Default root account of a gateway started without an initial password. */
export const rootAccount: Account = defaultRoot;

const lettersOnly = (hex: string): string => hex.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');

/**
 * A unique name, because tests of one worker share a gateway, and short enough for a username. Has no digits, so that
 * a search for an id never matches it.
 */
export const uniqueName = (prefix = 'u'): string => `${prefix}-${lettersOnly(randomBytes(3).toString('hex'))}`;

const rootClients = new Map<string, Promise<ApiClient>>();

/** An API client signed in as root; one session per gateway. */
export function asRoot(url: string, password: string = defaultRoot.password): Promise<ApiClient> {
  const known = rootClients.get(url) ?? signedInClient(url, { username: defaultRoot.username, password });
  rootClients.set(url, known);
  return known;
}

/** An API client signed in with this account. */
export async function signedInClient(url: string, { username, password }: Account): Promise<ApiClient> {
  const client = new ApiClient(url);
  await client.call(sessionApi.login, { body: { username, password } });
  return client;
}

/** Creates an account for a test, a common user by default. */
export async function createTestUser(url: string, wanted: TestUserOptions = {}): Promise<TestUser> {
  const root = await asRoot(url);
  const { username = uniqueName(), password = 'password-1', display_name = username } = wanted;
  await root.call(userApi.create, { body: { username, display_name, password } });
  const found = await root.call(userApi.search, { query: { keyword: username, order: '' } });
  const id = found.find((row) => row.username === username)?.id ?? Number.NaN;
  const { group, quota } = wanted;
  if (group !== undefined || quota !== undefined) {
    await root.call(userApi.update, {
      body: { id, ...(group !== undefined && { group }), ...(quota !== undefined && { quota }) },
    });
  }
  if (wanted.role === role.admin) await root.call(userApi.manage, { body: { username, action: 'promote' } });
  return { ...(await root.call(userApi.get, { params: { id } })), password };
}

/** Sets an option, as the settings page does. */
export async function setOption(url: string, key: OptionKey, value: string): Promise<void> {
  const root = await asRoot(url);
  await root.call(optionApi.update, { body: { key, value } });
}
