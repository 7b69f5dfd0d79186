import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { dollars, priceUnit } from './price.ts';

/** Capabilities of models and their labels. */
export const modelCapabilities = {
  vision: { label: 'Vision' },
  tools: { label: 'Tools' },
  reasoning: { label: 'Reasoning' },
  streaming: { label: 'Streaming' },
  audio: { label: 'Audio input' },
  embeddings: { label: 'Embeddings' },
  rerank: { label: 'Rerank' },
  ocr: { label: 'OCR' },
  images: { label: 'Image generation' },
  speech: { label: 'Text to speech' },
  transcription: { label: 'Transcription' },
  moderation: { label: 'Moderation' },
} as const;
export type ModelCapability = keyof typeof modelCapabilities;

/** Availability of a model. Only admins see models that are unavailable or offered by no channel. */
export const modelAvailabilities = {
  available: { label: 'Available', color: 'green' },
  degraded: { label: 'Degraded', color: 'yellow' },
  unavailable: { label: 'Unavailable', color: 'red' },
  not_offered: { label: 'Not offered', color: 'gray' },
} as const;
export type ModelAvailability = keyof typeof modelAvailabilities;

/** State of a model on one channel. */
export const servingStates = {
  healthy: { label: 'Healthy', color: 'green' },
  failing: { label: 'Failing', color: 'yellow' },
  cooling_down: { label: 'Cooling down', color: 'orange' },
  disabled: { label: 'Disabled', color: 'gray' },
} as const;
export type ServingState = keyof typeof servingStates;

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) => Object.keys(table) as Key[];

export const servingChannel = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  state: z.enum(keysOf(servingStates)),
  /** Requests for the model in the current and the previous hour. */
  requests: z.int(),
  failures: z.int(),
});
export type ServingChannel = z.output<typeof servingChannel>;

export const catalogModel = z.object({
  model: z.string(),
  /** Name of a channel type or of another model vendor; empty: unknown. */
  provider: z.string(),
  unit: priceUnit,
  /** Null: no price. */
  price: z.nullable(dollars),
  /** Tokens of prompt and completion; null: unknown. */
  context_window: z.nullable(z.int()),
  /** Known capabilities; empty: unknown. */
  capabilities: z.array(z.enum(keysOf(modelCapabilities))),
  availability: z.enum(keysOf(modelAvailabilities)),
  /** Admins only. */
  channels: z.optional(z.array(servingChannel)),
  /** Admins only: number of channels, including those beyond the listed ones. */
  channel_count: z.optional(z.int()),
});
export type CatalogModel = z.output<typeof catalogModel>;

/** Maximum number of channels listed for a model. */
export const maxServingChannels = 50;

export const modelApi = {
  byType: {
    method: 'GET',
    path: '/api/models',
    access: 'user',
    reply: z.record(z.string(), z.array(z.string())),
  },
  /**
   * Visitors get the models of one group if an option allows it; users get the models of their groups; admins get all
   * models, with channels.
   */
  catalog: {
    method: 'GET',
    path: '/api/models/catalog',
    access: 'visitor',
    reply: z.array(catalogModel),
  },
} as const satisfies EndpointTable;
