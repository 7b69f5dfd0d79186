import { textAt } from '@headgate/dialects';
import type { Provider } from '../provider.ts';
import { freeBaseUrl, keyHeader, planBaseUrl } from './access.ts';
import { chat } from './chat.ts';
import { deeplModels } from './models.ts';

export const deepl: Provider = {
  baseUrl: freeBaseUrl,
  models: deeplModels,
  chat,
  modelList: {
    request: (upstream) => ({
      method: 'GET',
      url: `${planBaseUrl(upstream)}/v2/languages?type=target`,
      headers: keyHeader(upstream),
    }),
    read: (body) =>
      (Array.isArray(body) ? (body as readonly unknown[]) : [])
        .map((row) => textAt(row, 'language').toLowerCase())
        .flatMap((language) => (language === '' ? [] : [`deepl-${language}`])),
  },
};
