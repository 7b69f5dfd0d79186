import { listAt, objectAt, textAt } from '@headgate/dialects';
import type { ModelListCall } from '../provider.ts';
import { controlRequest } from './access.ts';

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
