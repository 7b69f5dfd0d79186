import { channelApi, logEndCauses, role } from '@headgate/contract';
import { asRoot, completion, createTestUser, reply, setOption, stream } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { createCaller } from '../../testing/caller.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { chooseType, openReceipt, rowTexts } from '../../testing/log-page.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { findRow } from '../../testing/page.ts';

it('shows the cost breakdown, the attempts and the request id, which can be copied', async () => {
  const overloaded = reply({ error: { message: 'overloaded', type: 'server_error' } }, 503);
  const caller = await createCaller([overloaded, completion()]);
  const url = await gatewayUrl();
  await setOption(url, 'RetryTimes', '1');
  onTestFinished(() => setOption(url, 'RetryTimes', '0'));
  await caller.send();
  const admin = await createTestUser(url, { role: role.admin });
  const { user } = await openConsole(`/log?username=${caller.person.username}&type=2`, { as: admin });
  const receipt = await openReceipt(user);
  for (const text of ['10 × $60.00 per million', '$0.0006', '5 × $240.00 per million', '$0.0012', '$0.0018'])
    expect(within(receipt).getAllByText(text)).not.toEqual([]);
  expect(receipt.textContent).toMatch(/Model ratio × 30 · Completion ratio × 4.*900 points/);
  const steps = () =>
    within(receipt)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
      // The wait before the first attempt is shown only above a minimum.
      .filter((step) => !step?.includes('Queued and routed'));
  await expect
    .poll(steps)
    .toEqual([
      expect.stringContaining('Received'),
      expect.stringMatching(new RegExp(`Attempt failed · ${caller.model}.* · 503.*overloaded`)),
      expect.stringMatching(new RegExp(`Sent to the channel · ${caller.model}`)),
      expect.stringContaining('Completed'),
    ]);
  within(receipt).getByText('Our cost');
  const id = receipt.querySelector('code')?.textContent;
  expect(id).toMatch(/^[\w-]{20,}$/);
  await user.click(within(receipt).getByRole('button', { name: 'Copy request ID' }));
  await screen.findByText('Copied');
  expect(await navigator.clipboard.readText()).toBe(id);
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toMatch(/^Request details/);
});

it('shows why a request failed', async () => {
  const caller = await createCaller([reply({ error: { message: 'bad weather' } }, 400)]);
  await caller.send();
  await openConsole('/log?type=5', { as: caller.person });
  const row = await findRow('bad weather');
  within(row).getByText('400');
});

it('lists an interrupted stream that was charged as consumption', async () => {
  const pieces = ['Hel', 'lo'].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  const caller = await createCaller([stream(pieces, 'cut')]);
  await caller.send('ci', { stream: true });
  const { user } = await openConsole('/log?type=5', { as: caller.person });
  await screen.findByText('No results');
  await chooseType(user, 'Consumption');
  within(await findRow(caller.model)).getByText('Upstream disconnected');
  const receipt = await openReceipt(user);
  within(receipt).getByText('Upstream disconnected');
  within(receipt).getByText(/The upstream's stream was interrupted/);
  within(receipt).getByText('Charged');
});

const marks = Object.values(logEndCauses).map(({ label }) => label);

/** One log for each way in which a request can end; the second has impossible usage. */
const logs = ['', ...Object.keys(logEndCauses)].map((ended_by, index) => ({
  id: index + 1,
  created_at: 1_790_000_000 - index,
  type: 2,
  channel: 3,
  username: 'ada',
  token_name: `notebook-${index}`,
  model_name: 'claude-sonnet-4-5',
  content: '',
  prompt_tokens: 1200,
  completion_tokens: 340,
  quota: 5210,
  elapsed_time: 2310,
  is_stream: true,
  ended_by,
  detail: index === 1 ? JSON.stringify({ model_ratio: 1, odd_usage: 'completion_tokens -4' }) : '',
}));

it('shows how each request ended, and impossible usage, in the table and on a phone', async () => {
  const network = new Network();
  network.route('GET', '/api/log/self/', () =>
    Response.json({ success: true, message: '', data: logs }, { headers: { 'x-total-count': String(logs.length) } }),
  );
  const person = await createTestUser(await gatewayUrl());
  await openConsole('/log', { as: person, network });
  await findRow('notebook-0');
  const rows = rowTexts();
  expect(rows).toHaveLength(logs.length);
  expect(rows.map((row) => marks.filter((mark) => row.includes(mark)))).toEqual([[], ...marks.map((mark) => [mark])]);
  expect(rows.filter((row) => row.includes('Usage anomaly'))).toEqual([rows[1]]);
  const { user } = await openConsole('/log', { network, width: phoneWindowWidth });
  for (const [index, mark] of ['Stream', ...marks].entries())
    expect((await findRow(`notebook-${index}`, 'listitem')).textContent).toContain(mark);
  const card = await findRow('notebook-1', 'listitem');
  await user.click(within(card).getByRole('button', { name: /^Request details/ }));
  await screen.findByText('Provider reported impossible usage: completion_tokens -4');
});

it('shows the names of the channel rules that were applied', async () => {
  const caller = await createCaller();
  const url = await gatewayUrl();
  const rules = '[{"name":"No user","then":[{"do":"remove","path":"user"}]}]';
  await (await asRoot(url)).call(channelApi.update, { body: { id: caller.channels[0] ?? 0, rules } });
  await caller.send();
  const admin = await createTestUser(url, { role: role.admin });
  const { user } = await openConsole(`/log?username=${caller.person.username}&type=2`, { as: admin });
  within(await openReceipt(user)).getByText('Channel rules applied: No user');
});
