import type { ChannelTypeId } from '@headgate/contract';

interface LitellmProvider {
  readonly type: ChannelTypeId;
  /** LiteLLM's default base URL, if it differs from this gateway's. */
  readonly baseUrl?: string;
  /** Environment variable with the key, if it is not `<PROVIDER>_API_KEY`. */
  readonly keyVariable?: string;
}

const custom = 8;

/** This gateway's channel types by provider prefix of LiteLLM's model names. */
const providers: Readonly<Record<string, LitellmProvider>> = {
  openai: { type: 1 },
  'text-completion-openai': { type: 1, keyVariable: 'OPENAI_API_KEY' },
  azure: { type: 3 },
  anthropic: { type: 14 },
  dashscope: { type: 17 },
  openrouter: { type: 20 },
  gemini: { type: 24 },
  moonshot: { type: 25 },
  minimax: { type: 27 },
  mistral: { type: 28 },
  groq: { type: 29 },
  ollama: { type: 30 },
  ollama_chat: { type: 30 },
  cohere: { type: 35 },
  cohere_chat: { type: 35, keyVariable: 'COHERE_API_KEY' },
  deepseek: { type: 36 },
  together_ai: { type: 39, keyVariable: 'TOGETHERAI_API_KEY' },
  volcengine: { type: 40 },
  novita: { type: 41 },
  xai: { type: 45 },
  zai: { type: 16 },
  hosted_vllm: { type: custom },
  openai_like: { type: custom },
  custom_openai: { type: custom },
  litellm_proxy: { type: custom },
  fireworks_ai: { type: custom, baseUrl: 'https://api.fireworks.ai/inference' },
  cerebras: { type: custom, baseUrl: 'https://api.cerebras.ai' },
  nvidia_nim: { type: custom, baseUrl: 'https://integrate.api.nvidia.com' },
};

/** Undefined if this gateway does not support the provider. */
export const litellmProvider = (name: string): LitellmProvider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined;

/** Patterns of model names that LiteLLM recognizes without a provider prefix. */
const knownNames: readonly (readonly [RegExp, string])[] = [
  [/^(gpt|o\d|chatgpt|text-|dall-e|whisper|tts)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'gemini'],
  [/^(mistral|codestral)/, 'mistral'],
  [/^command/, 'cohere'],
];

/** Provider and model name at the provider, from a name such as `azure/my-deployment`. */
export function detectProvider(model: string, given: string): { readonly provider: string; readonly name: string } {
  const slash = model.indexOf('/');
  const first = slash < 0 ? '' : model.slice(0, slash);
  if (given !== '') return { provider: given, name: first === given ? model.slice(slash + 1) : model };
  if (slash > 0) return { provider: first, name: model.slice(slash + 1) };
  return { provider: knownNames.find(([pattern]) => pattern.test(model))?.[1] ?? '', name: model };
}
