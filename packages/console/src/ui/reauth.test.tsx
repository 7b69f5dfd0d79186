import { oauthApi, userApi } from '@headgate/contract';
import { type Account, ageSessions, asRoot, createTestUser, rootAccount, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../testing/gateway.ts';
import { openConsole } from '../testing/open-console.tsx';
import { expectMessage, fill, findButton, findSection, findTextbox, messages } from '../testing/page.ts';

const title = 'Confirm your identity';
const findProof = async () => within(await screen.findByRole('dialog', { name: title }));
const expectNoProof = () => expect.poll(() => screen.queryByRole('dialog', { name: title })).toBeNull();

/** Opens a page; `age` moves the sign-in an hour into the past. */
async function openPage(path: string, as: Account) {
  const opened = await openConsole(path, { as });
  const { user } = opened;
  const age = async () => ageSessions(await workerGateway());
  const prove = async () => {
    const proof = await findProof();
    fill(proof.getByLabelText('Password'), as.password);
    await user.click(proof.getByRole('button', { name: 'Continue' }));
    await expectNoProof();
  };
  return { ...opened, age, prove };
}

const openAsNewUser = async (path: string) => {
  const person = await createTestUser(await gatewayUrl());
  return { person, ...(await openPage(path, person)) };
};

describe('proof of identity', () => {
  it('[A13.2] changing the password requires proof of identity, and keeps the input', async () => {
    const { person, user, network, age } = await openAsNewUser('/user/edit');
    const url = await gatewayUrl();
    const name = await findTextbox('Display name');
    const password = screen.getByLabelText<HTMLInputElement>('New password');
    await age();
    fill(name, 'Same Person');
    fill(password, 'password-9');
    await user.type(password, '{Enter}');
    const proof = (await findProof()).getByLabelText('Password');
    await expect.poll(() => document.activeElement).toBe(proof);
    await user.keyboard('{Escape}');
    await expectNoProof();
    expect(password.value).toBe('password-9');
    expect(network.sent('PUT', '/api/user/self')).toEqual([]);
    await user.click(await findButton('Save profile'));
    const field = (await findProof()).getByLabelText('Password');
    fill(field, person.password);
    await user.type(field, '{Enter}');
    await expectMessage('User info updated');
    expect(messages('success')).toHaveLength(1);
    const owner = await signedInClient(url, { ...person, password: 'password-9' });
    expect((await owner.call(userApi.self)).display_name).toBe('Same Person');
    // Changing only the name needs no proof.
    await age();
    fill(name, 'Another Name');
    await user.click(await findButton('Save profile'));
    await expect.poll(async () => (await owner.call(userApi.self)).display_name).toBe('Another Name');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[A13.3] creating an access token, changing the address, two-step login and account deletion require proof of identity', async () => {
    const { person, user, network, age, prove } = await openAsNewUser('/setting');
    await findButton('Generate system access token');
    await age();
    await user.click(await findButton('Generate system access token'));
    await user.click(await findButton('Generate'));
    await findProof();
    expect(network.sent('GET', '/api/user/token')).toEqual([]);
    await prove();
    const key = await screen.findByLabelText<HTMLInputElement>('Shown only once. Store it safely.');
    expect(key.value).toMatch(/^[0-9a-f]{64}$/);
    await age();
    await user.click(await findButton('Turn on two-step login'));
    await prove();
    await screen.findByRole('img', { name: 'QR code for the authenticator app' });
    await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await age();
    await user.click(await findButton('Bind Email'));
    await prove();
    await screen.findByRole('dialog', { name: 'Bind Email' });
    await user.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await age();
    await user.click(await findButton('Delete own account'));
    fill(within(await screen.findByRole('dialog')).getByRole('textbox'), person.username);
    await user.click(await findButton('Delete account'));
    await findProof();
    expect(network.sent('DELETE', '/api/user/self')).toEqual([]);
    await prove();
    await expectMessage('Account deleted!');
  });

  it('[A13.3] creating a named access token requires proof of identity', async () => {
    const { user, age, prove } = await openAsNewUser('/setting');
    const section = within(await findSection('Access tokens'));
    await age();
    await user.click(section.getByRole('button', { name: 'New access token' }));
    const form = within(await screen.findByRole('dialog', { name: 'New access token' }));
    fill(form.getByRole('textbox', { name: 'Name' }), 'Late');
    await user.click(form.getByRole('button', { name: 'Create access token' }));
    await prove();
    const key = () => screen.queryByLabelText<HTMLInputElement>(/Shown only once; store it safely\.$/);
    await expect.poll(() => key()?.value).toMatch(/^hg_/);
  });

  it('the proof dialog marks a missing password and rejects a wrong one', async () => {
    const { user, network, age, prove } = await openAsNewUser('/setting');
    await findButton('Turn on two-step login');
    await age();
    await user.click(await findButton('Turn on two-step login'));
    const proof = await findProof();
    const password = proof.getByLabelText('Password');
    await user.click(proof.getByRole('button', { name: 'Continue' }));
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true');
    fill(password, 'not the password');
    await user.click(proof.getByRole('button', { name: 'Continue' }));
    await expectMessage('The password is wrong');
    expect(network.sent('POST', '/api/user/second-factor')).toEqual([]);
    await prove();
    await screen.findByRole('img', { name: 'QR code for the authenticator app' });
  });

  it('[A12.4] enabling sign-in by email and providers for the super admin requires proof of identity', async () => {
    const root = await asRoot(await gatewayUrl());
    const { user, age, prove } = await openPage('/setting', rootAccount);
    const allowed = await screen.findByRole<HTMLInputElement>('switch', {
      name: 'Allow email and login providers for this account',
    });
    expect(allowed.checked).toBe(false);
    await age();
    await user.click(allowed);
    await findProof();
    expect(await root.call(oauthApi.elsewhere)).toEqual({ isAllowed: false });
    await prove();
    await expect.poll(() => allowed.checked).toBe(true);
    expect(await root.call(oauthApi.elsewhere)).toEqual({ isAllowed: true });
    await user.click(allowed);
    await expect.poll(() => allowed.checked).toBe(false);
    expect(await root.call(oauthApi.elsewhere)).toEqual({ isAllowed: false });
    await openAsNewUser('/setting');
    await findButton('Delete own account');
    expect(screen.queryByText('Super admin login')).toBeNull();
  });
});
