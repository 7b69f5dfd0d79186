import { listAt, textAt } from '@headgate/dialects';
import type { ModelListCall } from '../provider.ts';
import { accountOf } from './account.ts';
import { accessHeaders, regionBaseUrl } from './address.ts';

/** Lists Google's own models; other publishers have no list by region. */
export const modelList: ModelListCall = {
  request: (upstream) => {
    const account = accountOf(upstream);
    return {
      method: 'GET',
      url: `${regionBaseUrl(upstream, account)}/v1beta1/publishers/google/models?pageSize=300`,
      headers: {
        ...(account.project !== '' && { 'x-goog-user-project': account.project }),
        ...accessHeaders(upstream, account),
      },
    };
  },
  read: (body) =>
    listAt(body, 'publisherModels')
      .map((model) => textAt(model, 'name').replace(/^.*\//, ''))
      .filter((name) => /^(gemini|imagen)-|embedding/.test(name)),
};
