import type { relayScene } from '../relay/relay-scene.ts';
import { comeAgain, toldBy } from './two-nodes.ts';

type Scene = Awaited<ReturnType<typeof relayScene>>;

/** Clients that ask without a pause until they are told to end; then what they were told that neither serves them nor asks them to come again. */
export function sceneLoad(scene: Scene, clientCount: number) {
  const toldElse = new Set<string>();
  let isOver = false;
  const clients = Array.from({ length: clientCount }, async () => {
    while (!isOver) {
      const told = await scene.chat({ max_tokens: 10 }).then(toldBy, String);
      if (told !== '200' && !comeAgain.has(told)) toldElse.add(told);
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
