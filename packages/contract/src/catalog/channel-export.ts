import * as z from 'zod/mini';
import { exportSettings, selectedExport } from '../records/export.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { channel, channelFilter } from './channel.ts';

/** Excludes the key, `config`, which may contain secrets, and transient state. */
export const exportedChannel = z.omit(channel, {
  key: true,
  config: true,
  cooldown_seconds: true,
  paused_models: true,
});
export type ExportedChannel = z.infer<typeof exportedChannel>;

export const channelExportApi = {
  all: {
    method: 'GET',
    path: '/api/channel/export',
    access: 'admin',
    query: z.object({ ...exportSettings, ...channelFilter.shape }),
    file: true,
    reply: exportedChannel,
  },
  chosen: {
    method: 'POST',
    path: '/api/channel/export',
    access: 'admin',
    body: selectedExport,
    file: true,
    reply: exportedChannel,
  },
} as const satisfies EndpointTable;
