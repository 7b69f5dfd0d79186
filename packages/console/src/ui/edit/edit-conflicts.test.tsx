import { channelApi, limitRuleApi, role, routingApi, tokenApi, userApi } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, rootAccount, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton, findMoney, findTextbox } from '../../testing/page.ts';

const title = 'Conflicting changes';
const findQuestion = () => screen.findByRole('dialog', { name: title });
const expectNoQuestion = () => expect.poll(() => screen.queryByRole('dialog', { name: title })).toBeNull();
const choose = async (user: UserEvent, name: string) =>
  user.click(within(await findQuestion()).getByRole('button', { name }));
const expectValue = (field: HTMLInputElement, value: string) => waitFor(() => expect(field.value).toBe(value));

describe('[A52.10] channel form', () => {
  it('the conflict dialog shows who changed the channel, and offers to keep or reload the form', async () => {
    const url = await gatewayUrl();
    const root = await asRoot(url);
    const other = await createTestUser(url, { role: role.admin });
    const { id, name } = await createChannel(url, { models: 'm' });
    const stored = () => root.call(channelApi.get, { params: { id } });
    const { user } = await openConsole(`/channel/edit/${id}`, { as: rootAccount });
    const field = await findTextbox('Name');
    fill(field, 'Mine');
    const admin = await signedInClient(url, other);
    await admin.call(channelApi.update, { body: { id, models: 'm,n', system_prompt: 'Be brief' } });
    await user.click(await findButton('Save channel'));
    const change = `${other.username} changed channel ${name}`;
    await waitFor(async () => expect((await findQuestion()).textContent).toContain(change));
    await choose(user, 'Keep editing');
    await expectNoQuestion();
    expect(field.value).toBe('Mine');
    expect(await stored()).toMatchObject({ name, models: 'm,n' });
    await user.click(await findButton('Save channel'));
    await choose(user, 'Reload');
    await waitFor(async () => expect((await findTextbox('Name')).value).toBe(name));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^System prompt/).value).toBe('Be brief');
    fill(await findTextbox('Name'), 'Ours');
    await user.click(await findButton('Save channel'));
    await screen.findByText('Channel updated');
    expect(await stored()).toMatchObject({ name: 'Ours', models: 'm,n', system_prompt: 'Be brief' });
  });

  it('a channel is saved without confirmation when only fields outside the form have changed', async () => {
    const url = await gatewayUrl();
    const root = await asRoot(url);
    const { id } = await createChannel(url);
    const { user } = await openConsole(`/channel/edit/${id}`, { as: rootAccount });
    fill(await findTextbox('Name'), 'Quieter');
    await root.call(channelApi.update, { body: { id, status: 2 } });
    await user.click(await findButton('Save channel'));
    await screen.findByText('Channel updated');
    expect(await root.call(channelApi.get, { params: { id } })).toMatchObject({ name: 'Quieter', status: 2 });
  });
});

describe('[A52.10] other forms', () => {
  it('a limit is overwritten only after Overwrite is chosen', async () => {
    const root = await asRoot(await gatewayUrl());
    const note = uniqueName('limit');
    await root.call(limitRuleApi.create, { body: { measure: 'tokens_per_day', amount: 9000, note, enabled: false } });
    const [limit] = await root.call(limitRuleApi.list, { query: { keyword: note } });
    const id = limit?.id ?? 0;
    const stored = () => root.call(limitRuleApi.get, { params: { id } });
    const { user } = await openConsole(`/limit/edit/${id}`, { as: rootAccount });
    const amount = await findTextbox('Limit');
    fill(amount, '7000');
    await root.call(limitRuleApi.update, { body: { id, amount: 8000 } });
    await user.click(await findButton('Save limit'));
    expect((await findQuestion()).textContent).toContain('Someone else changed it');
    await user.keyboard('{Escape}');
    await expectNoQuestion();
    expect(await stored()).toMatchObject({ amount: 8000 });
    expect(amount.value).toMatch(/^7,?000$/);
    await user.click(await findButton('Save limit'));
    await choose(user, 'Overwrite');
    await screen.findByText('Limit updated');
    expect(await stored()).toMatchObject({ amount: 7000 });
  });

  it('a form in a dialog keeps its input when the confirmation is dismissed', async () => {
    const root = await asRoot(await gatewayUrl());
    const pattern = uniqueName('alias');
    const { id } = await root.call(routingApi.createAlias, { body: { pattern, model: 'gpt-4o' } });
    const { user } = await openConsole('/routing', { as: rootAccount });
    await user.click(await findButton(`Edit ${pattern}`));
    await screen.findByRole('dialog', { name: 'Edit alias' });
    // Reloading replaces the dialog.
    const dialog = () => within(screen.getByRole('dialog', { name: 'Edit alias' }));
    const model = () => dialog().getByLabelText<HTMLInputElement>(/^Target model/);
    const save = () => user.click(dialog().getByRole('button', { name: 'Save' }));
    fill(model(), 'gpt-mine');
    await root.call(routingApi.updateAlias, { body: { id, pattern, model: 'gpt-theirs' } });
    await save();
    await findQuestion();
    await user.keyboard('{Escape}');
    await expectNoQuestion();
    expect(model().value).toBe('gpt-mine');
    await save();
    await choose(user, 'Reload');
    await waitFor(() => expect(model().value).toBe('gpt-theirs'));
    fill(model(), 'gpt-ours');
    await save();
    await screen.findByText('Alias saved');
    expect(await root.call(routingApi.alias, { params: { id } })).toMatchObject({ model: 'gpt-ours' });
  });

  it("the user's own profile can be saved repeatedly, and requires confirmation only after a change in another session", async () => {
    const url = await gatewayUrl();
    const person = await createTestUser(url);
    const program = await signedInClient(url, person);
    const { user } = await openConsole('/user/edit', { as: person });
    const field = await findTextbox('Display name');
    const expectStored = (name: string) =>
      expect.poll(async () => (await program.call(userApi.self)).display_name).toBe(name);
    const save = async () => {
      await waitFor(() =>
        expect(screen.getByRole('button', { name: 'Save profile' })).toHaveProperty('disabled', false),
      );
      await user.click(screen.getByRole('button', { name: 'Save profile' }));
    };
    for (const name of ['First', 'Second']) {
      fill(field, name);
      await save();
      await expectStored(name);
      await waitFor(() =>
        expect(screen.getByRole('button', { name: 'Save profile' })).toHaveProperty('disabled', false),
      );
    }
    fill(field, 'Third');
    await program.call(userApi.updateSelf, { body: { display_name: 'Elsewhere' } });
    await save();
    await choose(user, 'Overwrite');
    await expectStored('Third');
    await expectValue(field, 'Third');
  });

  it('saves a token without confirmation when only its remaining quota has changed in the meantime', async () => {
    const url = await gatewayUrl();
    const person = await createTestUser(url);
    const program = await signedInClient(url, person);
    const { id } = await program.call(tokenApi.create, { body: { name: 'Spending', remain_quota: 100 } });
    const { user } = await openConsole(`/token/edit/${id}`, { as: person });
    fill(await findTextbox('Name'), 'Renamed');
    await program.call(tokenApi.update, { query: {}, body: { id, remain_quota: 50 } });
    await user.click(await findButton('Save token'));
    await screen.findByText('Token updated');
    expect(await program.call(tokenApi.get, { params: { id } })).toMatchObject({ name: 'Renamed', remain_quota: 50 });
  });
});

it('limits of a token that have changed since are overwritten only after Overwrite is chosen', async () => {
  const root = await asRoot(await gatewayUrl());
  const { id } = await root.call(tokenApi.create, { body: { name: uniqueName('ci'), policy: { day: 500_000 } } });
  const { user } = await openConsole(`/token/edit/${id}`, { as: rootAccount });
  const day = await findMoney('Spend per day');
  fill(day, '5');
  fill(await findTextbox('Requests per minute'), '10');
  await root.call(tokenApi.update, { query: {}, body: { id, policy: { day: 1_000_000 } } });
  await user.click(await findButton('Save token'));
  await findQuestion();
  await user.keyboard('{Escape}');
  await expectNoQuestion();
  expect(day.value).toBe('5');
  expect((await findTextbox('Requests per minute')).value).toBe('10');
  await user.click(await findButton('Save token'));
  await choose(user, 'Reload');
  await waitFor(async () => expect((await findMoney('Spend per day')).value).toBe('2'));
  fill(await findMoney('Spend per day'), '3');
  await user.click(await findButton('Save token'));
  await screen.findByText('Token updated');
});

it('the conflict dialog is in Chinese, and shows who changed the user', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const { id } = await createTestUser(url);
  const { user } = await openConsole(`/user/edit/${id}`, { as: rootAccount, language: 'zh' });
  fill(await findTextbox('显示名称'), '我的');
  await root.call(userApi.update, { body: { id, display_name: 'Theirs' } });
  await user.click(await findButton('保存用户'));
  const dialog = await screen.findByRole('dialog', { name: '修改冲突' });
  await waitFor(() => expect(dialog.textContent).toContain('root'));
  await user.click(within(dialog).getByRole('button', { name: '覆盖' }));
  await expect.poll(async () => (await root.call(userApi.get, { params: { id } })).display_name).toBe('我的');
});
