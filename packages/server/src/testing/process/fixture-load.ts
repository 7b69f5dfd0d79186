import type { relayFixture } from '../relay/relay-fixture.ts';
import { requestResult, retryableErrors } from './two-nodes.ts';

type Fixture = Awaited<ReturnType<typeof relayFixture>>;

/**
 * Starts clients that send requests without a pause until stopped. Returns results that are neither success nor a
 * retryable error.
 */
export function fixtureLoad(scene: Fixture, clientCount: number) {
  const otherMessages = new Set<string>();
  let isOver = false;
  const clients = Array.from({ length: clientCount }, async () => {
    while (!isOver) {
      const result = await scene.chat({ max_tokens: 10 }).then(requestResult, String);
      if (result !== '200' && !retryableErrors.has(result)) otherMessages.add(result);
    }
  });
  return {
    end: async (): Promise<readonly string[]> => {
      isOver = true;
      await Promise.all(clients);
      return [...otherMessages];
    },
  };
}
