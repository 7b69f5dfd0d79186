import type { Upstream } from '../provider.ts';

export const freeBaseUrl = 'https://api-free.deepl.com';
const proHome = 'https://api.deepl.com';

/**
 * Base URL: keys of the free plan have a suffix, and each plan has a separate host. A base URL set by the admin is
 * not replaced.
 */
export const planBaseUrl = ({ baseUrl, key }: Upstream) =>
  baseUrl === freeBaseUrl && !key.endsWith(':fx') ? proHome : baseUrl;

export const keyHeader = ({ key }: Upstream) => ({ authorization: `DeepL-Auth-Key ${key}` });
