import { listAt, objectAt, textAt } from '@headgate/dialects';
import type { ModelListCall } from '../provider.ts';
import { controlRequest } from './access.ts';

/** Bedrock ids of models that their vendors name differently. */
const ids: Readonly<Record<string, string>> = {
  'claude-instant-1.2': 'anthropic.claude-instant-v1',
  'claude-2.0': 'anthropic.claude-v2',
  'claude-2.1': 'anthropic.claude-v2:1',
  'claude-3-haiku-20240307': 'anthropic.claude-3-haiku-20240307-v1:0',
  'claude-3-sonnet-20240229': 'anthropic.claude-3-sonnet-20240229-v1:0',
  'claude-3-opus-20240229': 'anthropic.claude-3-opus-20240229-v1:0',
  'claude-3-5-sonnet-20240620': 'anthropic.claude-3-5-sonnet-20240620-v1:0',
  'claude-3-5-sonnet-20241022': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-3-5-sonnet-latest': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-3-5-haiku-20241022': 'anthropic.claude-3-5-haiku-20241022-v1:0',
  'llama3-8b-8192': 'meta.llama3-8b-instruct-v1:0',
  'llama3-70b-8192': 'meta.llama3-70b-instruct-v1:0',
};

/** Returns any other name unchanged: it is a model id, an inference profile or an ARN. */
export const toModelId = (name: string) => ids[name] ?? name;

/** URL path of a model, whose id is encoded as one segment. */
export const modelPath = (name: string, action: string) => `/model/${encodeURIComponent(toModelId(name))}/${action}`;

/** Text models of the region that are still available. */
export const modelList: ModelListCall = {
  request: (upstream) => controlRequest(upstream, '/foundation-models?byOutputModality=TEXT'),
  read: (body) =>
    listAt(body, 'modelSummaries').flatMap((model) => {
      const id = textAt(model, 'modelId');
      const isGone = textAt(objectAt(model, 'modelLifecycle'), 'status') === 'LEGACY';
      return id === '' || isGone ? [] : [callableId(id, model)];
    }),
};

/** Callable id of a model; most newer models need a cross-region inference profile. */
function callableId(id: string, model: unknown): string {
  const kinds = listAt(model, 'inferenceTypesSupported');
  if (kinds.includes('ON_DEMAND') || !kinds.includes('INFERENCE_PROFILE')) return id;
  const region = textAt(model, 'modelArn').split(':')[3] ?? '';
  return `${areas[region.slice(0, 2)] ?? 'global'}.${id}`;
}

const areas: Readonly<Record<string, string>> = { us: 'us', ca: 'us', eu: 'eu', ap: 'apac' };
