import type { JsonObject } from '../json-fields.ts';

/** What is known of a model, for a client that chooses one. */
interface ListedModel {
  readonly id: string;
  /** Tokens; undefined when nobody knows. */
  readonly contextWindow?: number | undefined;
}

/** Of a file on a disk, which there is none of here. */
const details = {
  parent_model: '',
  format: '',
  family: '',
  families: [],
  parameter_size: '',
  quantization_level: '',
} as const;

/** `/api/tags`: `since` in seconds. */
export const writeTags = (models: readonly ListedModel[], since: number): JsonObject => ({
  models: models.map(({ id }) => ({
    name: id,
    model: id,
    modified_at: new Date(since * 1000).toISOString(),
    size: 0,
    digest: '',
    details,
  })),
});

const architecture = 'headgate';

/** `/api/show`: clients look there for tools and for the context. */
export const writeShow = ({ id, contextWindow }: ListedModel, since: number): JsonObject => ({
  modelfile: '',
  parameters: '',
  template: '',
  details,
  model_info: {
    'general.architecture': architecture,
    'general.basename': id,
    ...(contextWindow !== undefined && { [`${architecture}.context_length`]: contextWindow }),
  },
  capabilities: /embed/i.test(id) ? ['embedding'] : ['completion', 'tools'],
  modified_at: new Date(since * 1000).toISOString(),
});

/** Of Ollama's API, as far as it is spoken here: clients ask whether it is new enough. */
export const ollamaVersion = '0.12.6';
