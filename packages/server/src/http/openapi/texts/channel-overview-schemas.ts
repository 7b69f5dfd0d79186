import type { SchemaTexts } from './types.ts';

const trafficFields = {
  requests: 'Number of requests, including failed ones.',
  failures: 'Number of failed requests.',
  quota: 'Points charged.',
  uncosted_quota: 'Points charged for requests whose cost is unknown.',
  elapsed_p50: 'Median duration of a request, in milliseconds. 0: no data.',
  elapsed_p95: '95th percentile of the duration, in milliseconds. 0: no data.',
  first_byte_p50: 'Median time to the first byte, in milliseconds. 0: no data.',
} as const;
const trafficExample = { requests: 42, failures: 1, quota: 120_000, cost: 96_000, uncosted_quota: 0 };

export const channelOverviewSchemas: SchemaTexts = {
  ChannelOverview: {
    description: 'The last 24 hours of a channel.',
    fields: {
      from: 'First second of the first hour, Unix seconds.',
      to: 'Last second of the current hour, Unix seconds.',
      total: 'Totals of the 24 hours.',
      hours: 'Every hour, oldest first.',
      models: 'Models of the channel, most requests first; at most 500.',
      failures: 'The last 20 failed requests, latest first.',
    },
    example: { from: 1_767_225_600, to: 1_767_311_999 },
  },
  ChannelTraffic: { description: 'Traffic of a channel.', fields: trafficFields, example: trafficExample },
  ChannelTrafficHour: {
    description: 'Traffic of a channel in one hour.',
    fields: { ...trafficFields, hour: 'First second of the hour, Unix seconds.' },
    example: { ...trafficExample, hour: 1_767_225_600 },
  },
  ChannelTrafficModel: {
    description: 'Traffic, price and state of a model of a channel.',
    fields: {
      ...trafficFields,
      unit: 'Unit of the price.',
      price: 'Price in the default group. Null: the model has no price.',
      is_paused: 'True: the model is skipped on this channel until a test succeeds.',
    },
    example: { ...trafficExample, is_paused: false },
  },
  ChannelFailure: {
    description: 'A failed request of a channel.',
    fields: {
      created_at: 'Time of the request, Unix seconds.',
      status: 'HTTP status. 0: no response.',
      message: 'Full error message.',
    },
    example: { reason: 'overloaded', status: 529, message: 'Overloaded' },
  },
  ListedChannelTraffic: {
    description: 'Requests of a channel in the last 24 hours.',
    fields: {
      requests: trafficFields.requests,
      failures: trafficFields.failures,
      hours: 'Requests in each hour, oldest first.',
    },
    example: { id: 7, requests: 42, failures: 1, hours: [20, 22] },
  },
};
