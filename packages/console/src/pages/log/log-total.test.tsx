import { role } from '@headgate/contract';
import { createTestUser } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createCaller } from '../../testing/caller.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { chooseType, clickTotal, expandFilters, expectRowCount, expectTotal, query } from '../../testing/log-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAlert, fill } from '../../testing/page.ts';

it('[S2.163 S2.164 S7.64] loads the total on click, then updates it with the filters', async () => {
  const caller = await createCaller();
  await caller.send('first');
  await caller.send('second');
  const { user, network } = await openConsole('/log', { as: caller.person });
  const sent = () => network.sent('GET', '/api/log/self/stat');
  await expectRowCount(2, caller.model);
  await query(user);
  await chooseType(user, 'Consumption');
  await expectRowCount(2);
  expect(sent()).toEqual([]);
  await expectTotal('Click to view');
  await clickTotal(user, 'Click to view');
  await expectTotal('$0.003600');
  expect(sent()).toHaveLength(1);
  await expandFilters(user);
  fill(screen.getByLabelText('Token name'), 'second');
  fill(screen.getByLabelText('Model name'), caller.model);
  await query(user);
  await expectTotal('$0.001800');
  expect(sent()).toHaveLength(2);
  expect(sent()[1]?.query).toMatchObject({
    type: '2',
    token_name: 'second',
    model_name: caller.model,
    start_timestamp: '0',
    end_timestamp: expect.stringMatching(/^\d{10}$/),
  });
  await caller.send('second');
  await query(user);
  await expectTotal('$0.003600');
});

it('[S6.8 S7.63] admins see the total of all users, with their filters', async () => {
  const { person, channels, send } = await createCaller();
  await send();
  const admin = await createTestUser(await gatewayUrl(), { role: role.admin });
  const channel = String(channels[0]);
  const { user, network } = await openConsole(`/log?username=${person.username}&channel=${channel}`, { as: admin });
  await clickTotal(user, 'Click to view');
  await expectTotal('$0.001800');
  expect(network.sent('GET', '/api/log/stat')[0]?.query).toMatchObject({ username: person.username, channel });
});

it('a failed total shows an error with a retry button', async () => {
  const { user, network } = await openConsole('/log', { as: await createTestUser(await gatewayUrl()) });
  const remove = network.fail('GET', '/api/log/self/stat', 503, 'busy');
  await clickTotal(user, 'Click to view');
  await expectAlert('busy');
  remove();
  await clickTotal(user, 'Try again');
  await expectTotal('$0.000000');
});
