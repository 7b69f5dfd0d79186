import { redemptionApi } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { findButton } from '../../testing/page.ts';
import { collectSavedFiles, type SavedFile } from '../../testing/saved-files.ts';

/** Exports the list. Returns the lines of the next file. */
async function exportList(user: UserEvent, files: readonly SavedFile[]): Promise<string[]> {
  const before = files.length;
  await waitFor(() => expect(screen.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', false));
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Export CSV' }));
  await expect.poll(() => files.length).toBe(before + 1);
  return (await files[before]?.lines()) ?? [];
}

async function createCodes(count: number): Promise<{ readonly name: string; readonly keys: readonly string[] }> {
  const name = uniqueName('codes');
  const root = await asRoot(await gatewayUrl());
  return { name, keys: await root.call(redemptionApi.create, { body: { name, quota: 500_000, count } }) };
}

const toolbar = () => screen.findByRole('toolbar', { name: 'Actions for selected rows' });

it('exports all matching redemption codes, the selected ones, or all matches of a selection', async () => {
  const files = collectSavedFiles();
  const { name, keys } = await createCodes(12);
  const { user } = await openConsole(`/redemption?keyword=${name}`, { as: rootAccount });
  const boxes = await screen.findAllByRole('checkbox', { name: new RegExp(`${name} #`) });
  const [head, ...lines] = await exportList(user, files);
  expect(files[0]?.name).toMatch(/^codes-[\d-]+\.csv$/);
  expect(head).toMatch(/^ID,Name,Code,Status,Quota \(points\),Quota \(USD\),/);
  expect(lines.slice(0, -1).map((line) => line.split(',')[2])).toEqual(expect.arrayContaining([...keys]));
  expect(lines.at(-1)).toBe('Complete,12 of 12 rows');
  await screen.findByText('12 rows exported');
  const exportSelected = async () => {
    const before = files.length;
    await user.click(within(await toolbar()).getByRole('button', { name: 'Export' }));
    await expect.poll(() => files.length).toBe(before + 1);
    return (await files[before]?.lines())?.at(-1);
  };
  await user.click(boxes[0] as HTMLElement);
  await user.click(boxes[2] as HTMLElement);
  expect(await exportSelected()).toBe('Complete,2 of 2 rows');
  for (const at of [1, 3, 4, 5, 6, 7, 8, 9]) await user.click(boxes[at] as HTMLElement);
  await user.click(await findButton('Select all 12 results'));
  expect(await exportSelected()).toBe('Complete,12 of 12 rows');
});

it('exports the selected rows from a menu on a phone', async () => {
  const files = collectSavedFiles();
  const { name } = await createCodes(2);
  const { user } = await openConsole(`/redemption?keyword=${name}`, { as: rootAccount, width: phoneWindowWidth });
  const [box] = await screen.findAllByRole('checkbox', { name: new RegExp(`${name} #`) });
  await user.click(box as HTMLElement);
  await user.click(within(await toolbar()).getByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Export' }));
  await expect.poll(() => files.length).toBe(1);
  expect((await files[0]?.lines())?.at(-1)).toBe('Complete,1 of 1 rows');
});

it('[A32.4] exports users, and tokens and channels without their keys', async () => {
  const files = collectSavedFiles();
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const owner = (await openConsole('/token', { as: person })).user;
  const [head, line] = await exportList(owner, files);
  expect(head).not.toMatch(/Key/);
  expect(line).toMatch(/^\d+,default,Enabled,Unlimited,/);
  const { user, network } = await openConsole(`/user?keyword=${person.username}`, { as: rootAccount });
  const users = await exportList(user, files);
  expect(users[1]).toContain(`,${person.username},`);
  expect(users.at(-1)).toBe('Complete,1 of 1 rows');
  const { name } = await createChannel(url, { type: 1, key: 'sk-never-in-a-file' });
  const admin = (await openConsole('/channel?status=1', { network })).user;
  const channels = (await exportList(admin, files)).join('\n');
  expect(channels).toContain(`,${name},OpenAI,Enabled,`);
  expect(channels).not.toContain('sk-never-in-a-file');
});
