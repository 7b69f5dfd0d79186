import type { SchemaTexts } from './types.ts';

const cacheTexts = {
  cached: 'Dollars per million cached input tokens.',
  cache_write: 'Dollars per million tokens written to the prompt cache.',
  cache_long_write: 'Dollars per million tokens written to the long-lived prompt cache.',
  reasoning: 'Dollars per million reasoning tokens.',
  audio: 'Dollars per million audio input tokens.',
  cached_audio: 'Dollars per million cached audio input tokens.',
  audio_output: 'Dollars per million audio output tokens.',
  image: 'Dollars per million image input tokens.',
  cached_image: 'Dollars per million cached image input tokens.',
  image_output: 'Dollars per million image output tokens.',
  flex: 'Dollars per million input tokens at the service tier `flex`; the other parts follow in proportion. 0: no price.',
  priority:
    'Dollars per million input tokens at the service tier `priority`; the other parts follow in proportion. 0: no price, so requests for the tier are rejected.',
  call: 'Dollars per request, in addition to its tokens or units.',
};

const priceUnit =
  'Unit of the price: a million `tokens`, a `picture`, a million `characters`, a `second` of audio, a thousand `searches`, or a `page`.';

export const priceSchemas: SchemaTexts = {
  Price: {
    description: 'A price in dollars.',
    fields: {
      input: 'Dollars per million input tokens, or per unit of the model.',
      output: 'Dollars per million output tokens.',
      ...cacheTexts,
    },
    example: {
      input: 2.5,
      output: 10,
      cached: 1.25,
      cache_write: 2.5,
      cache_long_write: 2.5,
      reasoning: 10,
      audio: 40,
      cached_audio: 1.25,
      audio_output: 80,
      image: 2.5,
      cached_image: 1.25,
      image_output: 10,
      flex: 1.25,
      priority: 4.25,
      call: 0,
    },
  },
  PriceInput: {
    description: 'A price to save. Omitted parts follow the built-in price in proportion to the input price.',
    like: 'Price',
  },
  ModelPrice: {
    description: 'The price of a model.',
    fields: {
      unit: priceUnit,
      source: 'Where the price comes from: `built_in`, saved (`yours`), or `none`.',
      price: 'Price that is charged; without a price, the one that would be charged.',
      built_in: 'List price of the provider. Null: unknown.',
      model_ratio: 'The input price as a ratio, as the option ModelRatio shows it.',
      completion_ratio: 'Output price divided by input price.',
      channels: 'Number of enabled channels that offer the model.',
      changed: 'Last change of the saved price. Null: no saved price.',
    },
    example: { source: 'built_in', model_ratio: 1.25, completion_ratio: 4, channels: 2, changed: null },
  },
  ModelPriceChanged: {
    description: 'Last change of a price.',
    fields: {
      time: 'Time of the change, Unix seconds.',
      by: 'Username of the admin, or the name of the configuration file after `@`.',
    },
    example: { by: 'root' },
  },
  OwnPrice: {
    description: 'The price of a model for the caller.',
    fields: {
      unit: priceUnit,
      has_price: 'False: the model has no price, and `price` is what would be charged.',
      price: 'Price with the group ratio applied.',
    },
  },
  PriceSaveRequest: {
    description: 'Prices to save.',
    fields: {
      changes: 'One entry per model, at most 5,000.',
      list: 'Price list that the prices come from. Omitted: the prices were entered.',
    },
  },
  PriceCompareRequest: {
    description: 'The price list to compare with.',
    fields: { url: 'URL of the list. Omitted or empty: the option PriceListUrl.' },
  },
  PriceCompareData: {
    description: 'Differences between a price list and the current prices.',
    fields: {
      format: 'Format of the list.',
      url: 'URL of the list.',
      prices: 'Number of prices in the list.',
      proposals: 'One entry per model whose price differs.',
    },
    example: { format: 'models_dev', url: 'https://models.dev/api.json', prices: 2100 },
  },
  PriceProposal: {
    description: 'What the list changes about the price of one model.',
    fields: {
      kind: 'Kind of the change. `unit` and `ambiguous` cannot be applied: the list uses another unit, or its hosts have different prices.',
      channels: 'Number of enabled channels that offer the model.',
      provider: 'Provider in the list; several, separated by commas, if their prices differ.',
      percent: 'Largest change of a part, in percent. Null: no current price.',
      before: 'Current price. Null: none.',
      after: 'Price in the list; missing parts are not listed. Null: cannot be applied.',
    },
    example: { kind: 'rise', channels: 2, provider: 'openai', percent: 20 },
  },
  PriceProposalAfter: { description: 'A price in the list.', like: 'Price' },
  PriceChange: {
    description: 'New price of one model.',
    fields: { price: 'The price in dollars. Null: remove the saved price and use the built-in one.' },
  },
  PriceHistoryEntry: {
    description: 'Change of one part of a saved price.',
    fields: {
      part: 'Part of the price.',
      unit: priceUnit,
      old_amount: 'Amount before the change, as a decimal number. Null: no saved price before.',
      old_currency:
        'Unit of `old_amount`: `USD`, or `ratio` to the input price (reasoning: to the output price). Null: no saved price before.',
      amount: 'Amount after the change, as a decimal number. Null: the saved price was removed.',
      currency: 'Unit of `amount`: `USD` or `ratio`. Null: the saved price was removed.',
      source: 'What made the change: the price API, an option, the configuration file, an import or a price list.',
      changed_time: 'Time of the change, Unix seconds.',
      changed_by: 'Username of the admin, or the name of the configuration file after `@`.',
    },
    example: { old_amount: '2.5', old_currency: 'USD', amount: '3', currency: 'USD', changed_by: 'root' },
  },
  UnpricedModel: {
    description: 'A model without a price.',
    fields: { channels: 'Number of enabled channels that offer the model.' },
    example: { model: 'my-model', channels: 1 },
  },
};
