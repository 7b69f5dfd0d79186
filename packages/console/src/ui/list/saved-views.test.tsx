import { createTestUser, uniqueName } from '@headgate/testkit';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { expectAddress, fill, findButton } from '../../testing/page.ts';

const openViews = async (user: UserEvent) => user.click(await findButton(/^Views/));
const findView = (name: string) => screen.findByRole('menuitem', { name });

for (const { list, path, width } of [
  { list: 'log', path: '/log?type=2&model_name=gpt-4o', width: undefined },
  { list: 'log', path: '/log?type=2&model_name=gpt-4o', width: phoneWindowWidth },
  { list: 'token', path: '/token?status=1', width: undefined },
])
  it(`saves a view of the list ${list}${width ? ' on a phone' : ''} to the account, for use in other browsers`, async () => {
    const person = await createTestUser(await gatewayUrl());
    const name = uniqueName('view');
    const options = { as: person, ...(width && { width }) };
    const { user, network } = await openConsole(path, options);
    if (width) await user.click(await findButton(/^Filters/));
    await openViews(user);
    await user.click(await findView('Save view'));
    fill(within(await screen.findByRole('dialog')).getByLabelText('Name'), name);
    await user.keyboard('{Enter}');
    await expect.poll(() => network.sent('PUT', /./).length).toBe(1);
    await findButton(`Views · ${name}`);
    localStorage.clear();
    const elsewhere = (await openConsole(`/${list}`, options)).user;
    if (width) await elsewhere.click(await findButton(/^Filters/));
    await openViews(elsewhere);
    await elsewhere.click(await findView(name));
    await expectAddress(path);
    await elsewhere.click(await findButton(`Views · ${name}`));
    expect((await findView(name)).getAttribute('aria-current')).toBe('true');
  });

it('[A46.6] shows valid views stored in this browser and ignores invalid ones', async () => {
  const person = await createTestUser(await gatewayUrl());
  const views = [
    { name: '', search: { status: '1' } },
    { name: 'none', search: null },
    { name: 'number', search: { status: 1 } },
    { name: 'long', search: { keyword: 'x'.repeat(5000) } },
    { name: '<img src=x onerror=alert(1)>', search: { ['__proto__']: 'x', status: '2' } },
    { name: 'whole', search: { status: '1' } },
  ];
  localStorage.setItem(`views:token:${person.id}`, JSON.stringify(views));
  const { user } = await openConsole('/token', { as: person });
  await openViews(user);
  await findView('<img src=x onerror=alert(1)>');
  // Queries and clicks in one step, because views are replaced while loading.
  await waitFor(() => fireEvent.click(screen.getByRole('menuitem', { name: 'whole' })));
  await expectAddress('/token?status=1');
});
