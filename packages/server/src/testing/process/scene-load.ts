import type { relayScene } from '../relay/relay-scene.ts';
import { resultOf, retryableErrors } from './two-nodes.ts';

type Scene = Awaited<ReturnType<typeof relayScene>>;

/**
 * Starts clients that send requests without a pause until stopped. Returns results that are neither success nor a
 * retryable error.
 */
export function sceneLoad(scene: Scene, clientCount: number) {
  const toldElse = new Set<string>();
  let isOver = false;
  const clients = Array.from({ length: clientCount }, async () => {
    while (!isOver) {
      const told = await scene.chat({ max_tokens: 10 }).then(resultOf, String);
      if (told !== '200' && !retryableErrors.has(told)) toldElse.add(told);
    }
  });
  return {
    end: async (): Promise<readonly string[]> => {
      isOver = true;
      await Promise.all(clients);
      return [...toldElse];
    },
  };
}
