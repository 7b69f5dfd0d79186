import { rootAccount } from '@headgate/testkit';
import { screen } from '@testing-library/react';
import { it } from 'vitest';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';

const node = (name: string, fields: object = {}) => ({
  name,
  version: '1.0.0',
  started_time: 1_700_000_000,
  is_this: false,
  seen_seconds: 1,
  is_silent: false,
  running: 3,
  lag_ms: 12,
  leases: 40,
  unconfirmed_time: 0,
  settings: { LOG_LEVEL: 'info', MAX_BODY_MB: '64' },
  ...fields,
});

const nodes = [
  node('gate-a', { is_this: true }),
  node('gate-b', { settings: { LOG_LEVEL: 'info', MAX_BODY_MB: '8' } }),
  node('gate-c', { is_silent: true, seen_seconds: 200, unconfirmed_time: 1_700_000_100 }),
];

function withNodes(data: readonly object[]): Network {
  const network = new Network();
  network.route('GET', /^\/api\/node\/?$/, () => Response.json({ success: true, message: '', data }));
  return network;
}

it('shows this node, unresponsive nodes, unconfirmed changes and mismatched settings', async () => {
  await openConsole('/node', { as: rootAccount });
  await screen.findByText('this node');
  screen.getByText('Online');
  await openConsole('/node', { as: rootAccount, network: withNodes(nodes) });
  await screen.findByText('Not responding');
  screen.getByText(/^Unconfirmed change since/);
  screen.getByText('differs');
  await openConsole('/node', { as: rootAccount, network: withNodes([]) });
  await screen.findByText(/^No nodes have reported yet/);
});

it('the nodes page is translated into Chinese', async () => {
  await openConsole('/node', { as: rootAccount, network: withNodes(nodes), language: 'zh' });
  await screen.findByRole('heading', { level: 1, name: '节点' });
  await screen.findByText('无响应');
  screen.getByText('需要重启才能生效的设置');
});
