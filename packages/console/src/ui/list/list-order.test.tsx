import { redemptionApi } from '@headgate/contract';
import { asRoot, createChannel, createTestUser, rootAccount, seedLogs, uniqueName } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { openConsole, phoneWindowWidth as width } from '../../testing/open-console.tsx';
import { address, findButton } from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

const findOrder = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Sort order' });
const unfold = async (user: UserEvent) => user.click(await findButton(/^Filters/));

/** Waits until the cards contain these texts, in this order. */
const expectCards = (texts: readonly string[]) =>
  expect
    .poll(() =>
      [...document.querySelectorAll('main ul > li')].flatMap(
        ({ textContent }) => texts.find((text) => textContent.includes(text)) ?? [],
      ),
    )
    .toEqual(texts);

/** Sorts the cards by a column in both directions. */
async function sortBothWays(user: UserEvent, column: string, ascending: readonly string[]): Promise<void> {
  await user.selectOptions(await findOrder(), column);
  await expectCards(ascending);
  await user.click(await findButton('Sort descending'));
  await expectCards(ascending.toReversed());
  await user.click(await findButton('Sort ascending'));
  await expectCards(ascending);
  await user.selectOptions(await findOrder(), '');
  await expect.poll(() => screen.queryByRole('button', { name: /^Sort / })).toBeNull();
}

it("[S2.70] sorts users on a phone by a column or by one of the list's orders", async () => {
  const prefix = uniqueName('o');
  const url = await gatewayUrl();
  for (const letter of ['b', 'a', 'c']) await createTestUser(url, { username: `${prefix}${letter}` });
  const { user } = await openConsole(`/user?keyword=${prefix}`, { as: rootAccount, width });
  await unfold(user);
  await sortBothWays(user, 'Username', [`${prefix}a`, `${prefix}b`, `${prefix}c`]);
  await user.selectOptions(await findOrder(), 'quota');
  await expect.poll(address).toMatch(/order=quota/);
  const columns = [...(await findOrder()).querySelectorAll('optgroup option')].map(({ textContent }) => textContent);
  expect(columns).toEqual(
    expect.arrayContaining(['ID', 'Username', 'Group', 'Remaining', 'Spent', 'Requests', 'Role', 'Status']),
  );
});

it('[S2.87] sorts channels on a phone by a column', async () => {
  const prefix = uniqueName('o');
  for (const letter of ['b', 'a', 'c']) await createChannel(await gatewayUrl(), { name: `${prefix}${letter}` });
  const { user } = await openConsole(`/channel?keyword=${prefix}`, { as: rootAccount, width });
  await unfold(user);
  await sortBothWays(user, 'Name', [`${prefix}a`, `${prefix}b`, `${prefix}c`]);
});

it('sorts redemption codes on a phone by a column', async () => {
  const prefix = uniqueName('o');
  const root = await asRoot(await gatewayUrl());
  for (const [index, letter] of ['b', 'a', 'c'].entries())
    await root.call(redemptionApi.create, { body: { name: `${prefix}${letter}`, quota: 100 - index, count: 1 } });
  const { user } = await openConsole(`/redemption?keyword=${prefix}`, { as: rootAccount, width });
  await unfold(user);
  await sortBothWays(user, 'Quota', [`${prefix}c`, `${prefix}a`, `${prefix}b`]);
});

it('sorts tokens and logs on a phone by a column', async () => {
  const { owner } = await createTokenOwner(
    { name: 'second', remain_quota: 2 },
    { name: 'first', remain_quota: 1 },
    { name: 'third', remain_quota: 3 },
  );
  const { user, network } = await openConsole('/token', { as: owner, width });
  await unfold(user);
  await sortBothWays(user, 'column:remain_quota', ['first', 'second', 'third']);
  const person = await createTestUser(await gatewayUrl());
  const newest = Math.floor(Date.now() / 1000) - 60;
  for (const [index, token] of ['early', 'later'].entries())
    seedLogs(await workerGateway(), { owner: person, count: 1, newest: newest + index, token });
  const reader = (await openConsole('/log?type=2', { as: person, network, width })).user;
  await sortBothWays(reader, 'Time', ['early', 'later']);
});
