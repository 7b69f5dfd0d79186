import { createChannel, rootAccount, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill } from '../../testing/page.ts';

it('shows how many other channels are tried after a failure', async () => {
  const url = await gatewayUrl();
  const [model, group] = [uniqueName('gpt-5'), uniqueName('group')];
  const first = await createChannel(url, { models: model, group, priority: 10 });
  const second = await createChannel(url, { models: model, group });
  try {
    for (const [retries, text] of [
      ['0', 'Failed requests are not retried'],
      ['1', 'Failed requests are retried up to 1 time on other channels.'],
    ] as const) {
      await setOption(url, 'RetryTimes', retries);
      const { user } = await openConsole('/routing', { as: rootAccount });
      const region = await screen.findByRole('region', { name: 'Test routing' });
      const tryIt = within(region);
      fill(tryIt.getByRole('combobox', { name: 'Group' }), group);
      fill(tryIt.getByRole('combobox', { name: 'Model' }), model);
      await user.click(tryIt.getByRole('button', { name: 'Preview route' }));
      await expect.poll(() => region.textContent).toContain(text);
      const channels = tryIt.getAllByRole('listitem').map(({ textContent }) => textContent);
      expect(channels[0]).toContain(first.name);
      expect(channels.find((channel) => channel.includes(second.name))).toContain('Tried if all higher priorities');
    }
  } finally {
    await setOption(url, 'RetryTimes', '0');
  }
});
