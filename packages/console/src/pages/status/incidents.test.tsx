import { incidentApi, publicStatusApi, role } from '@headgate/contract';
import { asRoot, createTestUser, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findRow } from '../../testing/page.ts';

beforeEach(async () => {
  const url = await gatewayUrl();
  await setOption(url, 'StatusPageEnabled', 'true');
  onTestFinished(() => setOption(url, 'StatusPageEnabled', 'false'));
});

const admin = async () => createTestUser(await gatewayUrl(), { role: role.admin });
const incidentNamed = async (title: string) =>
  (await (await asRoot(await gatewayUrl())).call(incidentApi.list, { query: {} })).find((each) => each.title === title);

it('an admin posts an incident from a link, updates and closes it', async () => {
  const { user } = await openConsole('/status?post=true&title=Slow%20answers&models=gpt-4o,o3', { as: await admin() });
  const dialog = within(await screen.findByRole('dialog', { name: 'Post incident' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Slow answers');
  await user.click(dialog.getByRole('button', { name: 'Post incident' }));
  await dialog.findByText('Enter a description');
  fill(dialog.getByLabelText(/^Description/), '<b>Some</b> requests fail.');
  await user.click(dialog.getByRole('button', { name: 'Post incident' }));
  await expectMessage('Incident posted');
  await expectAddress('/status');
  const card = within(await findRow('Slow answers', 'listitem'));
  card.getByText('<b>Some</b> requests fail.');
  card.getByText('Ongoing');
  card.getByText(/gpt-4o, o3/);
  screen.getByText(/^1 incident in progress/);

  await user.click(await card.findByRole('button', { name: 'Close incident' }));
  const update = within(await screen.findByRole('dialog', { name: 'Slow answers' }));
  fill(update.getByLabelText(/^Update/), 'Fixed.');
  await user.click(update.getByRole('button', { name: 'Close incident' }));
  await expectMessage('Incident closed');
  const past = within(await screen.findByRole('region', { name: 'Past incidents' }));
  past.getByText('Fixed.');
  past.getByText('Resolved');
  expect(await incidentNamed('Slow answers')).toMatchObject({ severity: 'minor', updates: [{ text: 'Fixed.' }] });
});

it('visitors see incidents without actions', async () => {
  const root = await asRoot(await gatewayUrl());
  const fields = { title: 'Planned work', text: 'Back soon.', severity: 'maintenance' as const };
  const { time } = await root.call(publicStatusApi.read);
  const { id } = await root.call(incidentApi.add, { body: { ...fields, start_time: time + 5000 } });
  onTestFinished(async () => void (await root.call(incidentApi.remove, { params: { id } })));
  const network = new Network();
  await openConsole('/status', { network });
  const card = within(await findRow('Planned work', 'listitem'));
  card.getByText('Planned');
  card.getByText(/All models/);
  expect(card.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Post incident' })).toBeNull();
  expect(network.sent('GET', '/api/incident/')).toEqual([]);
});

it('an admin edits and deletes an incident while the status page is off', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  await root.call(incidentApi.add, { body: { title: 'Old news', text: 'a', severity: 'major', start_time: 5 } });
  await setOption(url, 'StatusPageEnabled', 'false');
  const { user } = await openConsole('/status', { as: await admin() });
  await user.click(await screen.findByRole('button', { name: 'Edit Old news' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit incident' }));
  fill(dialog.getByLabelText(/^Title/), 'New news');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Delete New news' }));
  await user.click(await findButton('Delete incident'));
  await expectMessage('Incident deleted');
  expect(await incidentNamed('New news')).toBeUndefined();
});
