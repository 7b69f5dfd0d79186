import type { JsonObject } from '../json-fields.ts';

/** Model metadata for model lists. */
interface ListedModel {
  readonly id: string;
  /** Tokens; undefined when unknown. */
  readonly contextWindow?: number | undefined;
}

/** Placeholder details, because the gateway has no model files. */
const details = {
  parent_model: '',
  format: '',
  family: '',
  families: [],
  parameter_size: '',
  quantization_level: '',
} as const;

/** Response of `/api/tags`; `since` is in seconds. */
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

/** Response of `/api/show`, from which clients read capabilities and the context window. */
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

/** Version of Ollama's API that the gateway supports; clients check whether it is recent enough. */
export const ollamaVersion = '0.12.6';
