import type { Upstream } from '../provider.ts';

export const freeHome = 'https://api-free.deepl.com';
const proHome = 'https://api.deepl.com';

/** Keys of the free plan end so, and each plan has its own host. An address that the admin gave is believed. */
export const homeOf = ({ baseUrl, key }: Upstream) =>
  baseUrl === freeHome && !key.endsWith(':fx') ? proHome : baseUrl;

export const keyHeader = ({ key }: Upstream) => ({ authorization: `DeepL-Auth-Key ${key}` });
