import { redemptionApi, userApi } from '@headgate/contract';
import { asRoot, createTestUser, rootAccount, setOption, signedInClient, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { withOption } from '../../testing/options.ts';
import { expectAddress } from '../../testing/page.ts';

it('an admin opens the statement of a user, prints it and changes the month', async () => {
  const url = await gatewayUrl();
  const account = await createTestUser(url);
  const { id } = await (await signedInClient(url, account)).call(userApi.self);
  await (await asRoot(url)).call(userApi.topUp, { body: { user_id: id, quota: 500_000, remark: 'invoice 7' } });
  const { user } = await openConsole(`/user/view/${id}`, { as: rootAccount });
  await user.click(await screen.findByRole('link', { name: 'Statement' }));
  await screen.findByRole('heading', { level: 1, name: /^Statement \d{4}-\d{2}$/ });
  screen.getByRole('link', { name: account.username });
  const credits = within(screen.getByRole('table', { name: 'Credits' }));
  credits.getByText(/invoice 7/);
  expect(credits.getAllByText('$1.00')).toHaveLength(2);
  screen.getByText('No usage in this period');
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await user.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
  const months = screen.getByLabelText<HTMLSelectElement>('Month');
  const last = months.options[1]?.value ?? '';
  await user.selectOptions(months, last);
  await expectAddress(`/statement?user=${id}&month=${last}`);
  await screen.findByText('No top-ups, gifts or edits in this period');
});

it('users open their own statement from the usage page', async () => {
  const url = await gatewayUrl();
  const account = await createTestUser(url);
  const name = uniqueName('code');
  const [key = ''] = await (await asRoot(url)).call(redemptionApi.create, { body: { name, quota: 250_000, count: 1 } });
  await (await signedInClient(url, account)).call(userApi.redeem, { body: { key } });
  // A user id in the URL is ignored.
  const { user, network } = await openConsole('/usage', { as: account });
  await user.click(await screen.findByRole('link', { name: 'Statement' }));
  await screen.findByText(/Redeemed a code worth/);
  screen.getByText(`User: ${account.username}`);
  expect(network.sent('GET', '/api/user/self/statement')).toHaveLength(1);
});

it('shows seller, buyer and number while invoices are enabled', async () => {
  const url = await gatewayUrl();
  const account = await createTestUser(url);
  await withOption('InvoiceSeller', 'Example GmbH');
  await setOption(url, 'InvoiceNumbersEnabled', 'true');
  onTestFinished(() => setOption(url, 'InvoiceNumbersEnabled', 'false'));
  await openConsole('/statement?month=2025-01', { as: account });
  const parties = within(await screen.findByRole('table', { name: 'Seller and buyer' }));
  parties.getByText('Example GmbH');
  parties.getByText(account.username);
  parties.getByText(/^ST-2025-01-\d{6}$/);
});
