import * as z from 'zod/mini';
import { bulkMode, bulkReport, bulkUndo, rowSelection } from '../records/bulk.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, rowId } from '../wire/list.ts';
import { channelFilter, channelSettings, channelStatus } from './channel.ts';

/** Settings that can be copied from another channel. Excludes the base URL and the key. */
export const copyableSettings = [
  'models',
  'group',
  'model_mapping',
  'system_prompt',
  'priority',
  'weight',
  'tag',
] as const;
export type CopyableSetting = (typeof copyableSettings)[number];

export const channelBulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.literal([channelStatus.enabled, channelStatus.disabled]) }),
  z.object({ kind: z.literal('priority'), priority: channelSettings.priority }),
  z.object({ kind: z.literal('weight'), weight: channelSettings.weight }),
  z.object({ kind: z.literal('group'), how: z.enum(['add', 'remove', 'replace']), group: commaList(2000) }),
  z.object({ kind: z.literal('models'), how: z.enum(['add', 'remove', 'replace']), models: commaList(100_000) }),
  z.object({ kind: z.literal('model_mapping'), model_mapping: channelSettings.model_mapping }),
  z.object({ kind: z.literal('system_prompt'), system_prompt: channelSettings.system_prompt }),
  z.object({ kind: z.literal('tag'), tag: channelSettings.tag }),
  z.object({
    kind: z.literal('copy'),
    from: rowId,
    settings: z.array(z.enum(copyableSettings)).check(z.minLength(1)),
  }),
  z.object({ kind: z.literal('delete') }),
]);
export type ChannelBulkChange = z.output<typeof channelBulkChange>;

export const channelBulkApi = {
  run: {
    method: 'POST',
    path: '/api/channel/bulk',
    access: 'admin',
    body: z.object({ chosen: rowSelection(channelFilter), change: channelBulkChange, ...bulkMode }),
    reply: bulkReport,
  },
  undo: {
    method: 'POST',
    path: '/api/channel/bulk/undo',
    access: 'admin',
    body: bulkUndo,
    reply: bulkReport,
  },
} as const satisfies EndpointTable;
