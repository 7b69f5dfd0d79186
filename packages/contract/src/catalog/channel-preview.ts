import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams } from '../wire/list.ts';
import { channelSettings } from './channel.ts';

/** Endpoints whose requests can be previewed: those with JSON bodies. */
export const previewEndpoints = [
  ...(['chat', 'responses', 'messages', 'generateContent', 'completions', 'embeddings'] as const),
  ...(['moderations', 'rerank', 'ocr', 'images', 'speech'] as const),
] as const;
export type PreviewEndpoint = (typeof previewEndpoints)[number];

export const channelPreviewApi = {
  show: {
    method: 'POST',
    path: '/api/channel/:id/preview',
    access: 'admin',
    params: idParams,
    body: z.object({
      endpoint: z._default(z.enum(previewEndpoints), 'chat'),
      /** Used by Gemini, and by the sample request. */
      model: z._default(z.string().check(z.trim(), z.maxLength(300)), ''),
      /** The client's request as JSON; empty: a short chat. */
      body: z._default(z.string().check(z.maxLength(100_000)), ''),
      /** Headers of the client. */
      headers: z._default(z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(4000))), {}),
      /** Unsaved rules; omitted: those of the channel. */
      rules: z.optional(channelSettings.rules),
    }),
    reply: z.object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      /** Names of the rules that applied. */
      rules: z.array(z.string()),
    }),
  },
} as const satisfies EndpointTable;
