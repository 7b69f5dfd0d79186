import type { SchemaTexts } from './types.ts';

export const modelSchemas: SchemaTexts = {
  CatalogModel: {
    description: 'A model of the catalog.',
    fields: {
      provider: 'Maker of the model. Empty: unknown.',
      unit: 'Unit of the price.',
      price: 'Price in dollars for the caller; for admins, without group ratio. Null: no price.',
      context_window: 'Tokens of prompt and completion together. Null: unknown.',
      capabilities: 'Known capabilities. Empty: unknown.',
      availability:
        '`available`: at least one channel is healthy. `degraded`: all channels that offer it fail. Admins also see `unavailable` (no usable channel) and `not_offered` (no channel).',
      channels: 'Channels that offer the model, at most 50. Admins only.',
      channel_count: 'Number of channels that offer the model. Admins only.',
    },
    example: {
      provider: 'OpenAI',
      context_window: 128_000,
      capabilities: ['vision', 'tools', 'streaming'],
      availability: 'available',
      channel_count: 1,
    },
  },
  ServingChannel: {
    description: 'A channel that offers a model.',
    fields: {
      name: 'Name of the channel.',
      type: 'Type of the channel.',
      state:
        '`healthy`; `failing`: at least a fifth of the recent requests failed; `cooling_down`: skipped after failures; `disabled`.',
      requests: 'Requests for the model in the current and the previous hour.',
      failures: 'Requests of them that failed.',
    },
    example: { id: 7, name: 'OpenAI main', type: 1, state: 'healthy', requests: 42, failures: 0 },
  },
};
