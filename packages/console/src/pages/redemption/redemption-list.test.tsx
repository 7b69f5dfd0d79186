import { type Redemption, redemptionApi, role, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectSorting, messages, searchList } from '../../testing/list-page.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import {
  chooseAction,
  expectAddress,
  expectInRow,
  fill,
  findButton,
  findMoney,
  findRow,
  findTextbox,
  rowNames,
} from '../../testing/page.ts';

/** Creates codes with one name. Returns them newest first. */
async function createCodes({ name = uniqueName('code'), quota = 100_000, count = 1 } = {}) {
  const root = await asRoot(await gatewayUrl());
  await root.call(redemptionApi.create, { body: { name, quota, count } });
  return (await root.call(redemptionApi.search, { query: { keyword: name } })) as [Redemption, ...Redemption[]];
}

async function redeem({ key }: Redemption) {
  const person = await createTestUser(await gatewayUrl());
  await (await signedInClient(await gatewayUrl(), person)).call(userApi.redeem, { body: { key } });
  return person;
}

const titleOf = ({ name, id }: Redemption) => `${name} #${id}`;
const openList = (keyword: string, width?: number) =>
  openConsole(`/redemption?keyword=${keyword}`, { as: rootAccount, ...(width !== undefined && { width }) });

it('[S2.16 S3.42 S7.53 S9.8 S9.16] shows ID, name, status, quota, times and a masked key', async () => {
  const [code] = await createCodes({ quota: 1_250_000 });
  const { user, network } = await openConsole('/redemption', { as: rootAccount });
  await screen.findByRole('heading', { level: 1, name: /^Redemption codes/ });
  const row = within(await findRow(code.name));
  expect(network.sent('GET', '/api/redemption/')[0]?.query).toMatchObject({ p: '0' });
  const created = new Date(code.created_time * 1000).toISOString().slice(0, 19).replace('T', ' ');
  for (const text of [String(code.id), 'Unused', '$2.50', created, 'Not redeemed yet']) row.getByText(text);
  expect(document.body.textContent).not.toContain(code.key);
  await user.click(row.getByRole('button', { name: 'Show key' }));
  within(await screen.findByRole('dialog')).getByText(code.key);
});

it('[S2.148 S7.54] searches by ID and name', async () => {
  const [code] = await createCodes();
  const [other] = await createCodes();
  const { user, network } = await openConsole('/redemption', { as: rootAccount });
  await screen.findByRole('searchbox', { name: 'Search by ID and name' });
  for (const keyword of [String(code.id), code.name.toUpperCase(), ` ${code.name.slice(2)} `]) {
    await searchList(user, keyword);
    await expect
      .poll(() => network.sent('GET', '/api/redemption/search').at(-1)?.query['keyword'])
      .toBe(keyword.trim());
    await expect.poll(rowNames).toContain(String(code.id));
    await expect.poll(rowNames).not.toContain(String(other.id));
  }
  await searchList(user, 'no-such-name');
  await screen.findByText('No results');
  await user.click(await findButton('Clear filters'));
  await findRow(other.name);
});

it('[S2.149] the list of codes is sorted by a click on each column', async () => {
  const name = uniqueName('sort');
  const [a] = await createCodes({ name: `${name}-b`, quota: 300 });
  const [b] = await createCodes({ name: `${name}-a`, quota: 200 });
  const [c] = await createCodes({ name: `${name}-c`, quota: 100 });
  const network = new Network();
  // The console sorts in the browser if the server sends no total.
  const data = [
    { ...a, status: 2, created_time: 1_700_000_500, redeemed_time: 1_700_009_000 },
    { ...b, status: 3, created_time: 1_700_000_900, redeemed_time: 1_700_002_000 },
    { ...c, status: 1, created_time: 1_700_000_100, redeemed_time: 0 },
  ];
  network.route('GET', '/api/redemption/', () => Response.json({ success: true, message: '', data }));
  const { user } = await openConsole('/redemption', { as: rootAccount, network });
  for (const [title, field, ...ascending] of [
    ['ID', 'id', a, b, c],
    ['Name', 'name', b, a, c],
    ['Status', 'status', c, a, b],
    ['Quota', 'quota', c, b, a],
    ['Created', 'created_time', c, a, b],
    ['Redeemed', 'redeemed_time', c, b, a],
  ] as const) {
    const ids = ascending.map(({ id }) => String(id));
    await expectSorting(user, title, 1, ids);
    expect(network.sent('GET', '/api/redemption/').at(-1)?.query['sort']).toBe(field);
  }
});

it('[S2.150] copies the full key, or puts it into the search box if copying fails', async () => {
  const [code] = await createCodes();
  const { user, network } = await openList(code.name);
  await user.click(await findButton(`Copy key: ${titleOf(code)}`));
  await screen.findByText('Copied');
  expect(await navigator.clipboard.readText()).toBe(code.key);
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  Object.assign(document, { execCommand: () => false });
  await user.click(await findButton(`Copy key: ${titleOf(code)}`));
  await screen.findByText('Unable to copy to the clipboard, please copy manually');
  expect(screen.getByRole('searchbox')).toHaveProperty('value', code.key);
  await findRow(code.name);
  expect(network.sent('GET', '/api/redemption/search')).toHaveLength(1);
});

it('[S2.152 S7.58 S8.12 S4.20] disables and enables a code with a status-only update', async () => {
  const [code] = await createCodes();
  const { user, network } = await openList(code.name);
  const root = await asRoot(await gatewayUrl());
  for (const [action, status, label] of [
    ['Disable', 2, 'Disabled'],
    ['Enable', 1, 'Unused'],
  ] as const) {
    await chooseAction(user, titleOf(code), action);
    await screen.findByText('Operation completed successfully');
    await expectInRow(code.name, label);
    const update = network.sent('PUT', '/api/redemption/').at(-1);
    expect(update).toMatchObject({ query: { status_only: 'true' } });
    expect(update?.body).toEqual({ id: code.id, status });
    expect(await root.call(redemptionApi.get, { params: { id: code.id } })).toMatchObject({ status });
  }
  network.fail('PUT', '/api/redemption/', 200, 'Not today');
  await chooseAction(user, titleOf(code), 'Disable');
  await screen.findByText(/Not today/);
  await expectInRow(code.name, 'Unused');
});

it('[S2.151 S7.59] deletes a code after a confirmation', async () => {
  const [code, other] = await createCodes({ count: 2 });
  const { user, network } = await openList(code.name);
  for (const response of ['Cancel', 'Delete code']) {
    await chooseAction(user, titleOf(code), 'Delete');
    const question = within(await screen.findByRole('dialog'));
    await question.findByText(`Delete redemption code ${titleOf(code)}?`);
    expect(rowNames()).toHaveLength(2);
    await user.click(question.getByRole('button', { name: response }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  }
  await expect.poll(rowNames).toEqual([String(other?.id)]);
  expect(network.sent('DELETE', `/api/redemption/${code.id}/`)).toHaveLength(1);
});

it('[S2.17 S2.154 S2.155 S5.49 S9.26 S9.27] starts the form with defaults, and requires a name', async () => {
  const { user, network } = await openConsole('/redemption/add', { as: rootAccount });
  const name = await findTextbox('Name');
  expect(name.value).toBe('');
  expect((await findMoney('Quota')).value).toBe('0.20');
  screen.getByText('= 100,000 points');
  const count = await findTextbox('Count');
  expect(count.value).toBe('1');
  await user.click(await findButton('Create codes'));
  await screen.findByText('Enter a name');
  expect(document.activeElement).toBe(name);
  expect(network.sent('POST', '/api/redemption/')).toEqual([]);
  fill(name, 'many');
  fill(count, '1000000');
  await user.click(await findButton('Create codes'));
  await expect.poll(() => messages('error')).toHaveLength(1);
  expect(name.value).toBe('many');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('[S2.17 S2.153 S2.155 S7.55 S7.57 S8.28] edits name and quota of a code, and returns to the list', async () => {
  const [code] = await createCodes();
  const { user, network } = await openList(code.name);
  await chooseAction(user, titleOf(code), 'Edit');
  await expectAddress(`/redemption/edit/${code.id}`);
  const name = await findTextbox('Name');
  expect(name.value).toBe(code.name);
  expect(network.sent('GET', `/api/redemption/${code.id}`)).toHaveLength(1);
  expect(screen.queryByRole('textbox', { name: 'Count' })).toBeNull();
  fill(await findMoney('Quota'), '5');
  await screen.findByText('= 2,500,000 points');
  await user.click(await findButton('Save code'));
  await screen.findByText('Redemption updated');
  expect(network.sent('PUT', '/api/redemption/').map(({ body }) => body)).toEqual([{ id: code.id, quota: 2_500_000 }]);
  await expectAddress(`/redemption?keyword=${code.name}`);
  await expectInRow(code.name, '$5.00');
});

it('[S2.152 S4.20 S4.21] does not change a redeemed code, and links the user who redeemed it', async () => {
  const [code] = await createCodes();
  const person = await redeem(code);
  const { user } = await openList(code.name);
  await expectInRow(code.name, 'Used');
  expect(within(await findRow(code.name)).queryByText('Not redeemed yet')).toBeNull();
  await user.click(await findButton(`More actions for ${titleOf(code)}`));
  expect(await screen.findByRole('menuitem', { name: 'Disable' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  await screen.findByText('This code has been used');
  for (const field of [await findTextbox('Name'), await findMoney('Quota')]) {
    const { readOnly, disabled } = field;
    expect(readOnly || disabled, field.name).toBe(true);
  }
  expect(screen.queryByRole('button', { name: 'Save code' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'View user who redeemed it' }));
  expect((await findTextbox('Username')).value).toBe(person.username);
});

it('shows an error for a code that does not exist', async () => {
  await openConsole('/redemption/edit/999999', { as: rootAccount });
  await screen.findByText('Could not be loaded');
  await findButton('Try again');
});

it('[S2.38 S6.4] redemption codes are accessible to admins, but not to common users', async () => {
  const url = await gatewayUrl();
  const { user } = await openWithNavigation('/about', { as: await createTestUser(url, { role: role.admin }) });
  await user.click(await screen.findByRole('link', { name: 'Billing' }));
  await screen.findByRole('heading', { level: 1, name: /^Redemption codes/ });
  await openWithNavigation('/redemption', { as: await createTestUser(url) });
  await screen.findByRole('heading', { level: 1, name: 'Not allowed' });
  expect(screen.queryByRole('link', { name: 'Redemption codes' })).toBeNull();
});

it('shows codes as cards with all actions in one menu on a phone', async () => {
  const [code] = await createCodes();
  const { user } = await openList(code.name, phoneWindowWidth);
  within(await findRow(titleOf(code), 'listitem')).getByText('Unused');
  await chooseAction(user, titleOf(code), 'Disable');
  await within(await findRow(titleOf(code), 'listitem')).findByText('Disabled');
});
