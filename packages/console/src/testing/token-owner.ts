import { type Token, tokenApi } from '@headgate/contract';
import { type Account, createTestUser, signedInClient } from '@headgate/testkit';
import { gatewayUrl } from './gateway.ts';

interface NewToken {
  readonly name: string;
  readonly remain_quota?: number;
  readonly unlimited_quota?: boolean;
  readonly expired_time?: number;
  readonly models?: string;
}

/** Creates a user with exactly these tokens; the last one is the newest. */
export async function createTokenOwner(
  ...wanted: readonly NewToken[]
): Promise<{ owner: Account; tokens: readonly Token[] }> {
  const url = await gatewayUrl();
  const owner = await createTestUser(url);
  const client = await signedInClient(url, owner);
  for (const { id } of await client.call(tokenApi.list, { query: { size: 100 } }))
    await client.call(tokenApi.remove, { params: { id } });
  const tokens: Token[] = [];
  for (const body of wanted)
    tokens.push(await client.call(tokenApi.create, { body: { remain_quota: 500_000, ...body } }));
  return { owner, tokens };
}
