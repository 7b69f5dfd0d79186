import { role, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import {
  columnTexts,
  expectNoRow,
  expectRowText,
  expectSorting,
  menuEntries,
  searchList,
} from '../../testing/list-page.ts';
import { mockUsers } from '../../testing/mock-users.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, findButton, findRow } from '../../testing/page.ts';

it('[S2.18 S2.69 S3.1 S4.1 S4.7 S7.20] shows each field of a user', async () => {
  const network = new Network();
  mockUsers(network, {
    id: 4711,
    username: 'wei',
    display_name: 'Wei Lin',
    email: 'wei@example.com',
    group: 'vip,default',
    quota: 750_000,
    used_quota: 1_250_000,
    request_count: 37,
  });
  const { user } = await openConsole('/user', { as: rootAccount, network });
  await screen.findByRole('heading', { level: 1, name: /^Users/ });
  await findRow('wei');
  expect(network.sent('GET', '/api/user/')[0]?.query).toMatchObject({ p: '0', order: '' });
  const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headings).toEqual(['ID', 'Username', 'Group', 'Remaining', 'Spent', 'Requests', 'Role', 'Status', 'Actions']);
  const row = within(await findRow('wei'));
  for (const text of ['4711', 'vip', 'default', 'Common user', 'Activated']) row.getByText(text);
  await expectRowText('wei', /\$1\.50\$2\.5037/);
  await user.hover(row.getByText('wei'));
  expect((await screen.findByRole('tooltip')).textContent).toBe('Wei Lin\nwei@example.com');
});

it('[S3.2 S9.11] shows an empty group as default, and truncates a long name, in the table and on a phone', async () => {
  for (const width of [1280, 390]) {
    const network = new Network();
    mockUsers(
      network,
      { username: 'a-name-of-twenty-one', display_name: 'Wei', group: '' },
      { username: 'two-groups', group: 'vip,svip' },
    );
    const { user } = await openConsole('/user', { as: rootAccount, network, width });
    const name = await screen.findByText('a-name-of-twen…');
    expect(document.body.textContent).not.toContain('a-name-of-twenty');
    for (const group of ['default', 'vip', 'svip']) within(screen.getByRole('main')).getByText(group);
    await user.hover(name);
    expect((await screen.findByRole('tooltip')).textContent).toBe('a-name-of-twenty-one\nWei\nNo email bound');
  }
});

it('[S4.2 S4.3 S4.4 S4.8 S4.9 S4.10] labels every role and status, and offers to disable only active users', async () => {
  const network = new Network();
  mockUsers(
    network,
    { username: 'plain' },
    { username: 'boss', role: 10, status: 2 },
    { username: 'super', role: 100 },
    { username: 'odd', role: 7, status: 9 },
  );
  const { user } = await openConsole('/user', { as: rootAccount, network });
  for (const [username, roleName, status, offered] of [
    ['plain', 'Common user', 'Activated', 'Disable'],
    ['boss', 'Admin', 'Banned', 'Enable'],
    ['super', 'Super admin', 'Activated', 'Disable'],
    ['odd', 'Unknown identity', 'Unknown', 'Enable'],
  ] as const) {
    const row = within(await findRow(username));
    row.getByText(roleName);
    row.getByText(status);
    const entries = (await menuEntries(user, username)).map(({ name }) => name);
    expect(entries.filter((name) => name === 'Enable' || name === 'Disable')).toEqual([offered]);
  }
});

it('[S2.68 S2.78 S2.79 S7.22] searches for the trimmed keyword, and shows the full list if it is empty', async () => {
  const url = await gatewayUrl();
  const [person, other] = [await createTestUser(url), await createTestUser(url)];
  const { user, network } = await openConsole('/user', { as: rootAccount });
  await screen.findByRole('searchbox', { name: 'Search by ID, name and email' });
  await searchList(user, `  ${person.username} `);
  await expectNoRow(other.username);
  await findRow(person.username);
  expect(network.sent('GET', '/api/user/search').map(({ query }) => query['keyword'])).toEqual([person.username]);
  const address = `/user?keyword=${person.username}`;
  await expectAddress(address);
  await openConsole(address, { network });
  await findRow(person.username);
  await expectNoRow(other.username);
  network.calls.length = 0;
  await searchList(user, '   ');
  await expectAddress('/user');
  await findRow(other.username);
  expect(network.sent('GET', '/api/user/search')).toEqual([]);
  expect(network.sent('GET', '/api/user/')).toHaveLength(1);
});

it('[S2.72 S7.21] the user list is ordered by remaining quota, used quota or requests', async () => {
  const url = await gatewayUrl();
  const rich = await createTestUser(url, { quota: 9_000_000_000 });
  await createTestUser(url, { quota: 5 });
  const { user, network } = await openConsole('/user', { as: rootAccount });
  const order = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Sort order' });
  expect(order.value).toBe('');
  const labels = within(order)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(labels).toEqual(['Default order', 'Remaining quota', 'Used quota', 'Request count']);
  for (const [label, value] of [
    ['Used quota', 'used_quota'],
    ['Request count', 'request_count'],
    ['Remaining quota', 'quota'],
  ] as const) {
    await user.selectOptions(order, label);
    await expectAddress(`/user?order=${value}`);
    await expect.poll(() => network.sent('GET', '/api/user/').at(-1)?.query['order']).toBe(value);
  }
  // Root has more quota than any other user.
  await expect.poll(() => columnTexts(2)[1]).toBe(rich.username);
});

it('[S2.70] the user list is sorted by a click on each column', async () => {
  const url = await gatewayUrl();
  const prefix = uniqueName('s');
  // Each column sorts the three users differently from at least one other.
  const a = await createTestUser(url, { username: `${prefix}-b`, group: 'vip', quota: 20 });
  const b = await createTestUser(url, { username: `${prefix}-a`, group: 'default', quota: 30, role: role.admin });
  const c = await createTestUser(url, { username: `${prefix}-c`, group: 'svip', quota: 10 });
  await (await asRoot(url)).call(userApi.manage, { body: { username: a.username, action: 'disable' } });
  const { user } = await openConsole(`/user?keyword=${prefix}`, { as: rootAccount });
  for (const [title, ...ascending] of [
    ['ID', a, b, c],
    ['Username', b, a, c],
    ['Group', b, c, a],
    ['Remaining', c, a, b],
  ] as const)
    await expectSorting(
      user,
      title,
      2,
      ascending.map(({ username }) => username),
    );
  // Two of the three users have the same role and status, so only the position of the third is deterministic.
  for (const [title, third] of [
    ['Role', b],
    ['Status', a],
  ] as const) {
    const heading = within(screen.getByRole('columnheader', { name: title })).getByRole('button');
    await user.click(heading);
    await expect.poll(() => columnTexts(2).at(-1)).toBe(third.username);
    await user.click(heading);
    await expect.poll(() => columnTexts(2)[0]).toBe(third.username);
  }
});

it('[S2.73] the user list has pages, and keeps the page in the URL', async () => {
  const url = await gatewayUrl();
  const prefix = uniqueName('p');
  const root = await asRoot(url);
  for (let count = 0; count < 11; count++) {
    const username = `${prefix}${count}`;
    await root.call(userApi.create, { body: { username, display_name: username, password: 'password-1' } });
  }
  const { user, network } = await openConsole(`/user?keyword=${prefix}`, { as: rootAccount });
  await screen.findByText('1–10 of 11');
  await user.click(await findButton('Next page'));
  await screen.findByText('11–11 of 11');
  await expectAddress(`/user?keyword=${prefix}&page=2`);
  await openConsole(`/user?keyword=${prefix}&page=2`, { network });
  await findRow(`${prefix}0`);
});

it('[S2.71] the user list has a link to add a user', async () => {
  const { user } = await openConsole('/user', { as: rootAccount });
  await user.click(await screen.findByRole('link', { name: 'Add user' }));
  await expectAddress('/user/add');
  await findButton('Create user');
});

it('shows users as cards with all actions in one menu on a phone', async () => {
  const person = await createTestUser(await gatewayUrl(), { quota: 1_000_000 });
  const { user } = await openConsole(`/user?keyword=${person.username}`, { as: rootAccount, width: 390 });
  const card = within(await findRow(person.username, 'listitem'));
  for (const text of ['Activated', 'Common user', '$2.00']) card.getByText(text);
  await user.click(await findButton(`More actions for ${person.username}`));
  await user.click(await screen.findByRole('menuitem', { name: 'Disable' }));
  await within(await findRow(person.username, 'listitem')).findByText('Banned');
});
