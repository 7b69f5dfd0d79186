import { reply, StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { onTestFinished } from 'vitest';

export const customChannel = 8;

export const okResponse = reply({ choices: [{ message: { content: 'Yes' } }], usage: { total_tokens: 3 } });
export const invalidKeyResponse = reply(
  { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } },
  401,
);

/** Starts an upstream with this response until the test ends. */
export async function startUpstream(response: UpstreamHandler): Promise<StubUpstream> {
  const upstream = await StubUpstream.start(response);
  onTestFinished(() => upstream.close());
  return upstream;
}
