import type { OptionKey } from '@headgate/contract';
import { setOption } from '@headgate/testkit';
import { onTestFinished } from 'vitest';
import { gatewayUrl } from './gateway.ts';

/** Sets a text option of the gateway and clears it when the test ends. */
export async function withOption(key: OptionKey, value: string): Promise<void> {
  const url = await gatewayUrl();
  await setOption(url, key, value);
  onTestFinished(() => setOption(url, key, ''));
}
