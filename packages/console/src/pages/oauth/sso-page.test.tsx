import { ageSessions, createTestUser, rootAccount } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, fill, findButton } from '../../testing/page.ts';

const reason = 'closed for today';
const begin = '/api/oauth/sso/7/begin';

/** Responds as a gateway with provider 7, which rejects every start of a sign-in. */
function networkWithProvider() {
  const network = new Network();
  network.route('GET', '/api/oauth/sso/7/provider', async () =>
    Response.json({ success: true, message: '', data: { id: 7, name: 'Entra ID', organization: 'Acme' } }),
  );
  network.fail('POST', begin, 200, reason);
  return network;
}

it("forwards the response of an organization's identity provider to the gateway", async () => {
  const network = new Network();
  network.fail('GET', '/api/oauth/sso/7', 200, reason);
  await openConsole('/oauth/sso/7?code=c&state=s&iss=https%3A%2F%2Fidp.example', { network });
  await screen.findByText(new RegExp(reason));
  await expectAddress('/login');
  expect(network.sent('GET', '/api/oauth/sso/7')).toHaveLength(1);
  expect(network.sent('POST', begin)).toHaveLength(0);
});

it('starts the sign-in only when the visitor continues', async () => {
  const network = networkWithProvider();
  const { user } = await openConsole('/oauth/sso/7', { network });
  const button = await screen.findByRole('button', { name: 'Continue to log in' });
  screen.getByText('You will log in to Acme with Entra ID.');
  expect(network.sent('POST', begin)).toHaveLength(0);
  await user.click(button);
  await screen.findByText(new RegExp(reason));
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: false } }]);
});

it('[A75.13] links a signed-in account only on request and after a proof of identity', async () => {
  const person = await createTestUser(await gatewayUrl());
  const network = networkWithProvider();
  const { user } = await openConsole('/oauth/sso/7', { network, as: person });
  const button = await findButton(`Link to account ${person.username}`);
  expect(network.sent('POST', begin)).toHaveLength(0);
  await ageSessions(await workerGateway());
  await user.click(button);
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
  expect(network.sent('POST', begin)).toHaveLength(0);
  fill(proof.getByLabelText('Password'), person.password);
  await user.click(proof.getByRole('button', { name: 'Continue' }));
  await screen.findByText(new RegExp(reason));
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: true } }]);
});

it('signs in to an account that is linked already', async () => {
  const person = await createTestUser(await gatewayUrl());
  const network = networkWithProvider();
  network.change('GET', '/api/oauth/sso/self', () => [{ id: 7, name: 'Entra ID', organization: 'Acme' }]);
  const { user } = await openConsole('/oauth/sso/7', { network, as: person });
  await user.click(await findButton('Continue to log in'));
  await screen.findByText(new RegExp(reason));
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: false } }]);
});

it('reports a sign-in that the user declined', async () => {
  const network = new Network();
  await openConsole('/oauth/sso/7?error=access_denied&state=s', { network });
  await screen.findByText(/operation failed/);
  expect(network.sent('POST', begin)).toHaveLength(0);
});

it('does not offer gateway admins to link their account', async () => {
  await openConsole('/oauth/sso/7', { network: networkWithProvider(), as: rootAccount });
  await screen.findByText(/^Gateway admins cannot log in through the provider/);
  expect(screen.queryByRole('button', { name: /^Link to account/ })).toBeNull();
});

it('reports an unknown provider', async () => {
  await openConsole('/oauth/sso/987654');
  await screen.findByText('This login provider does not exist or is disabled.');
  expect(screen.queryByRole('button', { name: 'Continue to log in' })).toBeNull();
});

it('the login page finds the provider of an organization by email or name', async () => {
  const network = networkWithProvider();
  network.change('GET', '/api/status', (status) => ({ ...(status as object), sso_login: true }));
  network.route('GET', '/api/oauth/sso', async () => Response.json({ success: true, message: '', data: [] }));
  const { user } = await openConsole('/login', { network });
  await user.click(await findButton('Log in with SSO'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Log in with SSO' }));
  const find = async (text: string) => {
    fill(dialog.getByRole('textbox', { name: 'Email or organization name' }), text);
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
  };
  await find('Acme');
  await dialog.findByText(/^No login provider found/);
  const found = [7, 8].map((id) => ({ id, name: id === 7 ? 'Entra ID' : 'Okta', organization: 'Acme' }));
  network.route('GET', '/api/oauth/sso', async () => Response.json({ success: true, message: '', data: found }));
  await find('ada@acme.example');
  await user.click(await dialog.findByRole('button', { name: 'Entra ID · Acme' }));
  await screen.findByText(new RegExp(reason));
  expect(network.sent('GET', '/api/oauth/sso').map(({ query }) => query)).toMatchObject([
    { organization: 'Acme' },
    { email: 'ada@acme.example' },
  ]);
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: false } }]);
});
