import { channelTypes } from '@headgate/contract';
import { providers } from '@headgate/providers';
import { expect, it } from 'vitest';
import { noRatios } from '../testing/no-ratios.ts';
import { isPriced, priceOf } from './price.ts';

it('[A68.1] every suggested model of a channel type has a built-in price', () => {
  const unpriced = channelTypes.flatMap(({ id, name }) =>
    providers[id].models.filter((model) => !isPriced(model, noRatios, id)).map((model) => `${name}: ${model}`),
  );
  expect(unpriced).toEqual([]);
});

it('self-hosted models are free on their own channel type and unpriced on others', () => {
  const [ollama] = channelTypes.filter(({ name }) => name === 'Ollama');
  for (const model of providers[30].models) {
    expect(priceOf(model, { type: ollama?.id ?? 0 }, 'default', noRatios).model_ratio, model).toBe(0);
    expect(isPriced(model, noRatios, 1), model).toBe(false);
  }
});
