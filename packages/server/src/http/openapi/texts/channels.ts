import { bulkOperations, exportOperations } from './bulk.ts';
import { channelFilterTexts } from './channel-schemas.ts';
import type { ResourceTexts } from './types.ts';

const channelId = { id: 'ID of the channel.' };
const modelNames = { data: 'Names of the models.', dataExample: ['gpt-4o', 'gpt-4o-mini'] };

export const channelResources: ResourceTexts<
  | 'channel'
  | 'channelBulk'
  | 'channelExport'
  | 'channelPreview'
  | 'channelKey'
  | 'channelPause'
  | 'channelOverview'
  | 'model'
> = {
  channel: {
    tag: 'Channels',
    params: channelId,
    query: channelFilterTexts,
    operations: {
      list: {
        summary: 'List channels',
        description: 'Returns one page of all channels. Provider keys are never returned.',
        data: 'The channels of the page.',
      },
      search: {
        summary: 'Search channels',
        description: 'Returns one page of the channels that match the keyword and the filters.',
        data: 'The channels of the page.',
      },
      counts: {
        summary: 'Count channels by status',
        description: 'Returns the number of channels in each status, and of those failing or cooling down.',
        data: 'Number of channels by status code, and under `failing` and `cooling_down` (cooling down on this node). Zero counts are missing.',
        dataExample: { 1: 12, 3: 1, failing: 1 },
      },
      tags: {
        summary: 'List channel tags',
        description: 'Returns the tags in use with their number of channels, sorted by name.',
        data: 'The tags.',
      },
      models: {
        summary: 'List known models',
        description: 'Returns every model that the gateway knows of some channel type, in the format of OpenAI.',
        data: 'The models.',
      },
      get: { summary: 'Get a channel', description: 'Returns one channel without its key.' },
      create: {
        summary: 'Create channels',
        description:
          'Creates a channel. If `key` has several lines, one channel is created per line, at most 500. Returns the IDs of all of them, and the first one as `id`.',
        data: 'IDs of the new channels.',
        dataExample: { id: 7, ids: [7] },
      },
      update: {
        summary: 'Update a channel',
        description: 'Changes a channel. Omitted fields are unchanged; an empty `key` keeps the stored keys.',
      },
      removeDisabled: {
        summary: 'Delete disabled channels',
        description: 'Deletes all channels that are disabled, manually or automatically.',
        data: 'Number of channels deleted.',
        dataExample: 2,
      },
      remove: { summary: 'Delete a channel', description: 'Deletes a channel.' },
      testAll: {
        summary: 'Test all channels',
        description:
          'Starts a test of all channels, or of the disabled ones, in the background. Follow it with `GET /api/channel/test/progress`.',
        query: { scope: 'Which channels to test.' },
      },
      testProgress: {
        summary: 'Get the progress of the channel test',
        description: 'Returns the progress of the background test.',
      },
      testResults: {
        summary: 'Get the results of the channel test',
        description: 'Returns the results of the running background test so far, or of the last one.',
        data: 'One entry per tested channel.',
      },
      testChosen: {
        summary: 'Test selected channels',
        description: 'Starts a test of the given channels in the background.',
      },
      test: {
        summary: 'Test a channel',
        description: 'Sends a short request through a channel and reports how long it took.',
        query: { model: 'Model to test with. Empty: a model of the channel.' },
      },
      updateBalance: {
        summary: 'Update the balance of a channel',
        description: "Reads the balance of the channel's account from the provider and stores it.",
      },
      upstreamModels: {
        summary: 'List the models of a provider',
        description: "Asks the channel's provider for its models.",
        ...modelNames,
      },
      upstreamModelsWith: {
        summary: 'List the models for unsaved settings',
        description: 'Asks a provider for its models with the settings of a channel that is not saved yet.',
        ...modelNames,
      },
    },
  },
  channelBulk: { tag: 'Channels', operations: bulkOperations('channels') },
  channelExport: {
    tag: 'Channels',
    query: channelFilterTexts,
    operations: exportOperations('channels', ' Keys and the configuration are not included.'),
  },
  channelPreview: {
    tag: 'Channels',
    params: channelId,
    operations: {
      show: {
        summary: 'Preview an upstream request',
        description: 'Shows what the channel would send for a sample request, without secrets. Nothing is sent.',
      },
    },
  },
  channelKey: {
    tag: 'Channel keys',
    params: channelId,
    operations: {
      list: {
        summary: 'List the keys of a channel',
        description: 'Returns the state of every key of a channel. The keys themselves are never returned.',
        data: 'The keys.',
      },
      add: {
        summary: 'Add keys to a channel',
        description: 'Adds keys to a channel, or replaces all keys. A channel has at most 500 keys.',
      },
      update: {
        summary: 'Update keys of a channel',
        description: 'Enables, disables or weights keys of a channel.',
        data: 'Number of keys changed.',
        dataExample: 2,
      },
      remove: {
        summary: 'Remove keys of a channel',
        description: 'Removes keys of a channel. The last key cannot be removed.',
        data: 'Number of keys removed.',
        dataExample: 1,
      },
      test: {
        summary: 'Test a key of a channel',
        description: 'Tests one key of a channel. An automatically disabled key that succeeds is enabled again.',
      },
    },
  },
  channelPause: {
    tag: 'Channel pauses',
    params: channelId,
    operations: {
      list: {
        summary: 'List paused models of a channel',
        description: 'Returns the models that are skipped on a channel, why, and when each is tested next.',
        data: 'The paused models.',
      },
      test: {
        summary: 'Test a paused model',
        description: 'Tests a paused model now. If it succeeds, the pause ends.',
      },
      end: { summary: 'End a pause', description: 'Serves a paused model again without testing it.' },
    },
  },
  channelOverview: {
    tag: 'Channels',
    params: channelId,
    operations: {
      overview: {
        summary: 'Get the last 24 hours of a channel',
        description:
          'Returns traffic, latencies, cost, models and the latest failures of a channel. Latencies are those of up to 200 requests per hour. Cached for 30 seconds.',
      },
      traffic: {
        summary: 'Get the traffic of channels',
        description: 'Returns the requests of the last 24 hours for up to 100 channels. Cached for 30 seconds.',
        query: { ids: 'IDs of the channels, separated by commas.' },
        data: 'One entry for each channel with traffic.',
      },
    },
  },
  model: {
    tag: 'Channels',
    operations: {
      byType: {
        summary: 'List known models by channel type',
        description: 'Returns the models that the gateway knows for each channel type.',
        data: 'Model names by ID of the channel type.',
        dataExample: { 1: ['gpt-4o', 'gpt-4o-mini'], 14: ['claude-sonnet-4-6'] },
      },
      catalog: {
        summary: 'List the model catalog',
        description:
          'Returns models with price, context window, capabilities and availability, sorted by name. Admins get all known models with the channels that offer them. Users get the models of their groups. Visitors get the models of the group in the option ModelCatalogGroup if ModelCatalogEnabled is on, otherwise status 401. Scoped access tokens are treated as visitors.',
        data: 'The models, with prices in dollars.',
      },
    },
  },
};
