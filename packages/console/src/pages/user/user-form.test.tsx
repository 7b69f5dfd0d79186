import { userApi, userLimitApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, signedInClient } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { expectMessages, messages } from '../../testing/list-page.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import {
  address,
  amountFieldName,
  expectAddress,
  fill,
  findButton,
  findMoney,
  findTextbox,
} from '../../testing/page.ts';

const group = () => screen.getByRole('combobox', { name: 'Group' });

/** Fields of linked accounts are read-only. */
const expectReadOnlyBindings = () => {
  for (const name of ['GitHub ID', 'WeChat ID', 'Email']) {
    const { readOnly, disabled } = screen.getByRole<HTMLInputElement>('textbox', { name });
    expect(readOnly || disabled, name).toBe(true);
  }
};

const expectNoGroupAndQuota = () => {
  for (const label of [/^Group/, /^Remaining quota/]) expect(screen.queryByLabelText(label)).toBeNull();
};

it('[S2.83 S5.13 S5.14] marks a missing name and password of a new user, and sends nothing', async () => {
  const { user, network } = await openConsole('/user/add', { as: rootAccount });
  const username = await findTextbox('Username');
  const password = screen.getByLabelText(/^Password/);
  screen.getByText(/^Minimum 8 characters/);
  expectNoGroupAndQuota();
  const create = await findButton('Create user');
  await user.click(create);
  expect(username.getAttribute('aria-invalid')).toBe('true');
  expect(password.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(username);
  fill(username, 'ada');
  await user.click(create);
  expect(document.activeElement).toBe(password);
  expect(messages('warning')).toEqual([]);
  fill(password, 'short');
  await user.click(create);
  await expectMessages('warning', ['Password length must not be less than 8 characters!']);
  expect(network.calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('[S8.8] reports a name that is already taken, and keeps the form open', async () => {
  const person = await createTestUser(await gatewayUrl());
  const { user } = await openConsole('/user/add', { as: rootAccount });
  fill(await findTextbox('Username'), person.username);
  fill(screen.getByLabelText(/^Password/), 'password-9');
  await user.click(await findButton('Create user'));
  await expect.poll(() => messages('error')).toHaveLength(1);
  expect(screen.getByLabelText(/^Password/)).toHaveProperty('value', 'password-9');
});

it('[S2.21 S2.80 S2.81 S2.83 S3.6 S7.26] shows all fields of another user with read-only bindings and a blank password', async () => {
  const person = await createTestUser(await gatewayUrl(), {
    quota: 750_000,
    group: 'vip,default',
    display_name: 'Wei',
  });
  const list = `/user?keyword=${person.username}`;
  const { user, network } = await openConsole(list, { as: rootAccount });
  await user.click(await screen.findByRole('link', { name: `Edit: ${person.username}` }));
  await expectAddress(`/user/edit/${person.id}`);
  expect((await findTextbox('Username')).value).toBe(person.username);
  expect(network.sent('GET', `/api/user/${person.id}`)).toHaveLength(1);
  expect(screen.getByRole('textbox', { name: 'Display name' })).toHaveProperty('value', 'Wei');
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '');
  expect(screen.getByRole('textbox', { name: amountFieldName('Remaining quota') })).toHaveProperty('value', '1.50');
  screen.getByText('= 750,000 points');
  expect([...document.querySelectorAll('form .mantine-Pill-label')].map(({ textContent }) => textContent)).toEqual([
    'vip',
    'default',
  ]);
  expectReadOnlyBindings();
  screen.getByText('Read-only. Users bind these in their personal settings.');
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await expectAddress(list);
});

it('[S3.4 S3.5 S7.7 S7.27 S8.26] saves quota as an integer and groups in order', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const network = new Network();
  network.route('GET', '/api/group/', () =>
    Response.json({ success: true, message: '', data: ['default', 'only-here'] }),
  );
  const { user } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount, network });
  fill(await findTextbox('Display name'), 'Ada');
  fill(await findMoney('Remaining quota'), '5');
  await user.click(group());
  await expect
    .poll(() => screen.queryAllByRole('option').map(({ textContent }) => textContent))
    .toEqual(['default', 'only-here']);
  await user.click(screen.getByRole('option', { name: 'only-here' }));
  await user.click(await findButton('Save user'));
  await screen.findByText('User info updated');
  expect(network.calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    id: person.id,
    display_name: 'Ada',
    group: 'default,only-here',
    quota: 2_500_000,
    quota_was: person.quota,
  });
  const stored = await (await asRoot(url)).call(userApi.get, { params: { id: person.id } });
  expect(stored).toMatchObject({ display_name: 'Ada', group: 'default,only-here', quota: 2_500_000 });
  // A blank password keeps the old one.
  await signedInClient(url, person);
});

it("[S1.8 S2.20 S2.82 S2.84 S7.25 S8.26] changes the user's own names and password", async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url, { quota: 1000, group: 'vip' });
  const { user, network } = await openConsole('/user/edit', { as: person });
  expect((await findTextbox('Username')).value).toBe(person.username);
  const password = screen.getByLabelText('New password');
  expect(password).toHaveProperty('value', '');
  expectReadOnlyBindings();
  expectNoGroupAndQuota();
  fill(await findTextbox('Display name'), 'New Name');
  fill(password, 'password-7');
  await user.click(await findButton('Save profile'));
  await screen.findByText('User info updated');
  expect(network.sent('PUT', '/api/user/self').map(({ body }) => body)).toEqual([
    { display_name: 'New Name', password: 'password-7' },
  ]);
  await expect.poll(() => screen.getByLabelText('New password')).toHaveProperty('value', '');
  expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({
    username: person.username,
    display_name: 'New Name',
  });
  await signedInClient(url, { ...person, password: 'password-7' });
});

it('[S5.2] rejects a new password that is too short or too long', async () => {
  const { user, network } = await openConsole('/user/edit', { as: await createTestUser(await gatewayUrl()) });
  fill(await screen.findByLabelText('New password'), 'short');
  await screen.findByText('Password length must not be less than 8 characters!');
  fill(screen.getByLabelText('New password'), '123456789-123456789-1');
  await screen.findByText('Password length must not be more than 20 characters!');
  await user.click(await findButton('Save profile'));
  await expect.poll(() => messages('warning')).toHaveLength(1);
  expect(network.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await user.click(await findButton('Discard changes'));
  await expect.poll(address).toMatch(/^\/setting/);
});

it('limits a user to $5 a day and 10 requests a minute', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const { user } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount });
  fill(await findMoney('Spend per day'), '5');
  fill(await findTextbox('Requests per minute'), '10');
  await user.click(await findButton('Save user'));
  await screen.findByText('User info updated');
  const stored = await (await asRoot(url)).call(userLimitApi.read, { params: { id: person.id } });
  expect(stored.budgets).toMatchObject([{ kind: 'user', owner_id: person.id, amount: 2_500_000, period: 'day' }]);
  expect(stored.limits).toMatchObject([{ user_id: person.id, measure: 'requests_per_minute', amount: 10 }]);
});
