import { tokenApi } from '@headgate/contract';
import { createTestUser, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { amountFieldName, fill } from '../../../testing/page.ts';
import { applyToSelection, expectSelection, selectPage } from '../../../testing/selection.ts';

it('sets the quota of several tokens to 5 dollars', async () => {
  const url = await gatewayUrl();
  const person = await createTestUser(url);
  const client = await signedInClient(url, person);
  const prefix = uniqueName('t');
  for (const end of ['a', 'b']) await client.call(tokenApi.create, { body: { name: `${prefix}${end}` } });
  const { user, network } = await openConsole(`/token?keyword=${prefix}`, { as: person });
  await selectPage(user);
  await expectSelection('2 selected');
  await applyToSelection(user, 'Quota');
  const dialog = within(await screen.findByRole('dialog', { name: 'Quota' }));
  fill(dialog.getByRole('textbox', { name: amountFieldName('Remaining quota') }), '5');
  await dialog.findByText('2 will change');
  await user.click(dialog.getByRole('button', { name: 'Change 2 tokens' }));
  await dialog.findByText('2 changed');
  expect(network.sent('POST', '/api/token/bulk').at(-1)?.body).toMatchObject({
    change: { kind: 'quota', remain_quota: 2_500_000 },
  });
});
