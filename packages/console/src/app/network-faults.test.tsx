import { role, tokenApi } from '@headgate/contract';
import { createTestUser, signedInClient, type TestUser } from '@headgate/testkit';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../testing/gateway.ts';
import { Network } from '../testing/network.ts';
import { openConsole } from '../testing/open-console.tsx';
import { expectAddress, fill, findButton, findTextbox, messages } from '../testing/page.ts';

interface Fault {
  readonly reply: () => Response;
  readonly message: string;
}

const unreadable = '错误：The server sent an invalid response';

const faults: readonly Fault[] = [
  {
    reply: () => {
      throw new TypeError('fetch failed');
    },
    message: '错误：The server cannot be reached. Check the connection and try again.',
  },
  { reply: () => new Response('', { status: 500 }), message: '错误：服务器内部错误，请联系管理员！' },
  {
    reply: () => Response.json({ success: false, message: 'Too many' }, { status: 429 }),
    message: '错误：请求次数过多，请稍后再试！',
  },
  { reply: () => new Response('<h1>Bad gateway</h1>', { status: 502 }), message: '错误：HTTP 502' },
  { reply: () => new Response('<h1>Welcome to the hotel</h1>'), message: unreadable },
  { reply: () => Response.json({ success: true, message: '' }), message: unreadable },
  { reply: () => Response.json([]), message: unreadable },
];

interface Surface {
  readonly what: string;
  readonly path: (tokenId: number) => string;
  /** Path of the failing call. */
  readonly call: RegExp;
  /** Shown instead of the content. */
  readonly failure: string;
  /** Elements of the loaded content. */
  readonly content: () => readonly HTMLElement[];
}

const surfaces: readonly Surface[] = [
  {
    what: 'list',
    path: () => '/token',
    call: /^\/api\/token\/$/,
    failure: 'The list could not be loaded',
    content: () => screen.queryAllByText('my token'),
  },
  {
    what: 'form',
    path: (id) => `/token/edit/${id}`,
    call: /^\/api\/token\/\d+$/,
    failure: 'Could not be loaded',
    content: () => screen.queryAllByRole('textbox', { name: 'Name' }),
  },
  {
    what: 'settings page',
    path: () => '/setting?tab=operation&topic=operation',
    call: /^\/api\/option\/$/,
    failure: 'The settings could not be loaded',
    content: () => screen.queryAllByLabelText(/^Quota per dollar/),
  },
];

async function adminWithToken(): Promise<{ readonly admin: TestUser; readonly tokenId: number }> {
  const url = await gatewayUrl();
  const admin = await createTestUser(url, { role: role.admin });
  const { id } = await (await signedInClient(url, admin)).call(tokenApi.create, { body: { name: 'my token' } });
  return { admin, tokenId: id };
}

const findHeading = () => screen.findByRole('heading', { level: 1 });
const expectError = (message: string) => waitFor(() => expect(messages('error').join('\n')).toContain(message));
const expectEnabled = (name: string) =>
  waitFor(() => expect(screen.getByRole('button', { name })).toHaveProperty('disabled', false));
const expectContent = (surface: Surface) => waitFor(() => expect(surface.content()).not.toEqual([]));

for (const surface of surfaces) {
  it(`[S2.32 S8.2] ${surface.what}: shows each fault with a retry button, and an expired session redirects to login and back`, async () => {
    const { admin, tokenId } = await adminWithToken();
    const path = surface.path(tokenId);
    const network = new Network();
    let reply = faults[0]?.reply;
    const remove = network.route('GET', surface.call, (forward) => (reply ? reply() : forward()));
    const { user } = await openConsole(path, { as: admin, network });
    for (const fault of faults) {
      reply = fault.reply;
      if (fault !== faults[0]) await user.click(await findButton('Try again'));
      await expectError(fault.message);
      await findHeading();
      await waitFor(() => expect(screen.queryAllByText(surface.failure)).not.toEqual([]));
    }
    reply = undefined;
    await user.click(await findButton('Try again'));
    await expectContent(surface);
    expect(screen.queryByText(surface.failure)).toBeNull();
    remove();

    const restore = network.fail('GET', surface.call, 401, 'who?');
    const visitor = (await openConsole(path, { network })).user;
    await expectAddress('/login?expired=true');
    await screen.findByText('Not logged in or login expired, please log in again!');
    restore();
    fill(await findTextbox('Username or email'), admin.username);
    fill(screen.getByLabelText('Password'), admin.password);
    await visitor.click(await findButton('Log in'));
    await expectAddress(path);
    await expectContent(surface);
  });

  it(`${surface.what}: keeps the rest of the console usable while it loads`, async () => {
    const { admin, tokenId } = await adminWithToken();
    const network = new Network();
    const release = network.hold('GET', surface.call);
    const { user } = await openConsole(surface.path(tokenId), { as: admin, network, navigation: true });
    await findHeading();
    expect(surface.content()).toEqual([]);
    await user.click(await screen.findByRole('link', { name: 'About' }));
    await screen.findByRole('heading', { level: 1, name: 'About' });
    window.history.back();
    await expectAddress(surface.path(tokenId));
    release();
    await expectContent(surface);
  });
}

/** An empty response is a success for calls that return no data. */
const savingFaults = faults.slice(0, 5);

it('keeps typed input when saving fails', async () => {
  const { admin, tokenId } = await adminWithToken();
  const network = new Network();
  let reply: Fault['reply'] | undefined;
  network.route('PUT', /^\/api\/(token|option)\/$/, (forward) => (reply ? reply() : forward()));
  const { user } = await openConsole(`/token/edit/${tokenId}`, { as: admin, network });
  const name = await findTextbox('Name');
  fill(name, 'better name');
  for (const fault of savingFaults) {
    reply = fault.reply;
    await user.click(await findButton('Save token'));
    await expectError(fault.message);
    expect(name.value).toBe('better name');
    await expectEnabled('Save token');
  }
  reply = undefined;
  await user.click(await findButton('Save token'));
  await expectAddress('/token');
  await screen.findByText('better name');

  const settings = (await openConsole('/setting?tab=operation&topic=operation', { network })).user;
  const retries = await screen.findByLabelText<HTMLInputElement>(/^Retry times/);
  fill(retries, '3');
  for (const fault of savingFaults) {
    reply = fault.reply;
    await settings.click(await findButton('Save changes'));
    await expectError(fault.message);
    expect(retries.value).toBe('3');
    await expectEnabled('Save changes');
  }
});
