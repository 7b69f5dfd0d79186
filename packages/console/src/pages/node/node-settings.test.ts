import type { GatewayNode } from '@headgate/contract';
import { expect, test } from 'vitest';
import { settingsOf } from './node-settings.ts';

const node = (settings: Record<string, string>) => ({ settings }) as GatewayNode;

test('lists a variable once if all nodes agree, otherwise per node', () => {
  expect(settingsOf([])).toEqual([]);
  expect(
    settingsOf([
      node({ LOG_LEVEL: 'info', MAX_BODY_MB: '64' }),
      node({ LOG_LEVEL: 'info', MAX_BODY_MB: '8' }),
      node({ LOG_LEVEL: 'info' }),
    ]),
  ).toEqual([
    { name: 'LOG_LEVEL', values: ['info'], differs: false },
    { name: 'MAX_BODY_MB', values: ['64', '8', ''], differs: true },
  ]);
});
