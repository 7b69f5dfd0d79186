import { type Channel, splitCommas } from '@headgate/contract';
import { useState } from 'react';
import { defaultTestModel } from './channel-facts.ts';

/** Selected test model of each channel. Page state, not part of the channel. */
export interface TestModels {
  of(channel: Channel): string;
  choose(channel: Channel, model: string): void;
}

export function useTestModels(): TestModels {
  const [chosen, setChosen] = useState<Readonly<Record<number, string>>>({});
  return {
    of({ id, models }) {
      const model = chosen[id];
      return model !== undefined && splitCommas(models).includes(model) ? model : defaultTestModel(models);
    },
    choose: ({ id }, model) => setChosen((before) => ({ ...before, [id]: model })),
  };
}
