import { tokenApi, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectMessage, fill, findButton, findMoney, findTextbox } from '../../testing/page.ts';

const title = 'The quota has changed';
const question = async () => within(await screen.findByRole('dialog', { name: title }));
const expectQuestion = (text: string) =>
  expect.poll(() => screen.queryByRole('dialog', { name: title })?.textContent).toContain(text);
const expectNoQuestion = () => expect.poll(() => screen.queryByRole('dialog', { name: title })).toBeNull();

/** Opens the form of a new user with a quota of $2. */
async function openUserForm() {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const person = await createTestUser(url, { quota: 1_000_000 });
  const { user } = await openConsole(`/user/edit/${person.id}`, { as: rootAccount });
  await findTextbox('Display name');
  return {
    person,
    user,
    save: async () => user.click(await findButton('Save user')),
    topUp: (quota: number) => root.call(userApi.topUp, { body: { user_id: person.id, quota } }),
    stored: () => root.call(userApi.get, { params: { id: person.id } }),
  };
}

describe('[A7.4] quota that changed while its form was open', () => {
  it("a user's quota that has changed since is kept on Enter while other fields are saved, and Escape returns to the form", async () => {
    const { person, user, save, topUp, stored } = await openUserForm();
    const quota = await findMoney('Remaining quota');
    fill(await findTextbox('Display name'), 'Renamed');
    fill(quota, '5');
    await topUp(125_000);
    await save();
    await expectQuestion('The quota is now $2.25; it was $2 when you opened this form.');
    expect(await stored()).toMatchObject({ quota: 1_125_000, display_name: person.display_name });
    const keep = (await question()).getByRole('button', { name: 'Keep $2.25 and save the rest' });
    await expect.poll(() => document.activeElement).toBe(keep);
    await user.keyboard('{Escape}');
    await expectNoQuestion();
    expect(quota.value).toBe('5');
    await save();
    await expect.poll(() => document.activeElement?.textContent).toBe('Keep $2.25 and save the rest');
    await user.keyboard('{Enter}');
    await expectMessage('User info updated');
    expect(await stored()).toMatchObject({ quota: 1_125_000, display_name: 'Renamed' });
  });

  it('asks before overwriting a quota that has changed, and again if it changes again', async () => {
    const { user, save, topUp, stored } = await openUserForm();
    const overwrite = async () => user.click((await question()).getByRole('button', { name: 'Set to $9' }));
    fill(await findMoney('Remaining quota'), '9');
    await topUp(50_000);
    await save();
    await expectQuestion('The quota is now $2.10');
    await topUp(1);
    await overwrite();
    await expectQuestion('The quota is now $2.100002');
    expect(await stored()).toMatchObject({ quota: 1_050_001 });
    await overwrite();
    await expectMessage('User info updated');
    expect(await stored()).toMatchObject({ quota: 4_500_000 });
  });

  it("[A7.3] a user's quota is kept without confirmation when only the name was edited", async () => {
    const { save, topUp, stored } = await openUserForm();
    fill(await findTextbox('Display name'), 'Renamed');
    await topUp(125_000);
    await save();
    await expectMessage('User info updated');
    expect(await stored()).toMatchObject({ quota: 1_125_000, display_name: 'Renamed' });
  });

  it("a token's quota that has changed since is kept while other fields are saved", async () => {
    const url = await gatewayUrl();
    const person = await createTestUser(url);
    const owner = await signedInClient(url, person);
    const { id } = await owner.call(tokenApi.create, { body: { name: 'mine', remain_quota: 500_000 } });
    const { user } = await openConsole(`/token/edit/${id}`, { as: person });
    fill(await findTextbox('Name'), 'yours');
    fill(await findMoney('Remaining quota'), '3');
    await owner.call(tokenApi.update, { query: {}, body: { id, remain_quota: 250_000 } });
    await user.click(await findButton('Save token'));
    await expectQuestion('The quota is now $0.50; it was $1');
    await user.click((await question()).getByRole('button', { name: 'Keep $0.50 and save the rest' }));
    await expectMessage('Token updated');
    expect(await owner.call(tokenApi.get, { params: { id } })).toMatchObject({ name: 'yours', remain_quota: 250_000 });
  });
});
