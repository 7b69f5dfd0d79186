import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { channelApi, redemptionApi, tokenApi, userApi } from '@headgate/contract';
import { startProgram } from '@headgate/testkit';
import { asRoot, setOption } from './people.ts';
import { type SeededIds, seedLimits } from './seed-gateway.ts';

const program = fileURLToPath(new URL('../../../../scripts/demo.ts', import.meta.url));
export const demoPassword = 'headgate-demo';

/** The `npm run demo` gateway with two optional features: a chat app and a top-up link. */
export async function startDemo() {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME };
  const { url, end } = await startProgram([program, '--port', '0'], { folder: tmpdir(), environment });
  await asRoot(url, demoPassword);
  await setOption(url, 'ChatLink', 'https://chat.example.com');
  await setOption(url, 'TopUpLink', 'https://shop.example.com/buy');
  return { url, seededIds: await seededIdsOf(url), stop: end };
}

async function seededIdsOf(url: string): Promise<SeededIds> {
  const root = await asRoot(url);
  const [token] = await root.call(tokenApi.list, { query: {} });
  const channels = await root.call(channelApi.list, { query: { size: 100 } });
  const [redemption] = await root.call(redemptionApi.list, { query: {} });
  const [user] = await root.call(userApi.search, { query: { keyword: 'ada.lovelace' } });
  const channel = channels.find(({ name }) => name === 'azure-eu-west');
  const limit = await seedLimits(url);
  return {
    token: token?.id ?? 0,
    channel: channel?.id ?? 0,
    redemption: redemption?.id ?? 0,
    user: user?.id ?? 0,
    limit,
  };
}
