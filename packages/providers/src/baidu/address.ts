import type { Upstream } from '../provider.ts';

/** URL names that differ from the lowercase model name. */
const slugs: Readonly<Record<string, string>> = {
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'ERNIE-Lite-8K-0308': 'ernie-lite-8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
};

/** Puts model and token into the URL. */
export function wenxinAddress(kind: 'chat' | 'embeddings', { baseUrl, credential, model }: Upstream): string {
  const slug = encodeURIComponent(Object.hasOwn(slugs, model) ? String(slugs[model]) : model.toLowerCase());
  const token = encodeURIComponent(credential);
  return `${baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${slug}?access_token=${token}`;
}
