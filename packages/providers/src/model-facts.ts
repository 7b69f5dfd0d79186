import type { ModelCapability } from '@headgate/contract';

/** Vendor and capabilities of a model. */
export interface ModelFacts {
  /** Name of a channel type, or of a vendor without one; empty: unknown. */
  readonly provider: string;
  /** Known capabilities; empty: unknown. */
  readonly capabilities: readonly ModelCapability[];
}

type Facts = readonly [models: RegExp, ...capabilities: ModelCapability[]];

interface Maker {
  readonly provider: string;
  readonly models: RegExp;
  /** The first matching row applies. Models without a row have unknown capabilities. */
  readonly facts: readonly Facts[];
}

const chat = ['streaming'] as const;
const agent = ['tools', 'streaming'] as const;
const seeing = ['vision', 'tools', 'streaming'] as const;
const thinking = ['tools', 'reasoning', 'streaming'] as const;
const full = ['vision', 'tools', 'reasoning', 'streaming'] as const;

/**
 * Models by vendor. Names are compared without a publisher before the last slash. List only capabilities that the
 * vendor documents: a missing row shows "unknown", but a wrong one sends requests to a model that rejects them.
 */
const makers: readonly Maker[] = [
  {
    provider: 'OpenAI',
    models:
      /^(?:gpt-|chatgpt-|o[134](?:-|$)|text-(?:embedding-(?:3|ada)|moderation|davinci|curie|babbage|ada)|dall-e|tts-1|whisper-1$|omni-moderation|davinci-002|babbage-002)/,
    facts: [
      [/^(?:text-embedding-)/, 'embeddings'],
      [/^(?:dall-e-|gpt-image-)/, 'images'],
      [/^(?:tts-1|gpt-4o-mini-tts)/, 'speech'],
      [/^(?:whisper-1|gpt-4o(?:-mini)?-transcribe)/, 'transcription'],
      [/^(?:omni|text)-moderation-/, 'moderation'],
      [/^gpt-4o(?:-mini)?$/, ...seeing],
      [/^chatgpt-4o-latest$/, 'vision', 'streaming'],
      [/^gpt-4\.1(?:-mini|-nano)?$/, ...seeing],
      [/^gpt-4-turbo$/, ...seeing],
      [/^gpt-4-vision-preview$/, 'vision', 'streaming'],
      [/^(?:gpt-4-(?:turbo-preview|1106-preview|0125-preview)|gpt-4(?:-32k)?(?:-0613)?)$/, ...agent],
      [/^gpt-3\.5-turbo(?:-0613|-1106|-0125)?$/, ...agent],
      [/^(?:gpt-3\.5-turbo-|gpt-4(?:-32k)?-0314$)/, ...chat],
      [/^(?:gpt-5(?:-mini|-nano|-codex)?|gpt-5\.[12])$/, ...full],
      [/^o1-(?:mini|preview)/, 'reasoning', 'streaming'],
      [/^o3-mini$/, ...thinking],
      [/^(?:o1|o3|o4-mini)$/, ...full],
      [/^o[13]-pro$/, 'vision', 'tools', 'reasoning'],
    ],
  },
  {
    provider: 'Anthropic Claude',
    models: /^claude-/,
    facts: [
      [/^claude-(?:instant|2)/, ...chat],
      [/^claude-3(?:-5|\.5)?-(?:opus|sonnet|haiku)/, ...seeing],
      [/^claude-3(?:-5|\.5)/, ...seeing],
      [/^claude-(?:3[-.]7-|(?:opus|sonnet)-(?:4|5)|haiku-4-5|fable-5)/, ...full],
    ],
  },
  {
    provider: 'Google Gemini',
    models: /^(?:gemini-|gemma-|text-embedding-004|aqa$|imagen-|learnlm|palm-)/,
    facts: [
      [/^(?:gemini-embedding|text-embedding-004)/, 'embeddings'],
      [/^(?:imagen-|gemini-.*-image)/, 'images'],
      [/^gemini-.*(?:tts|live|audio|computer)/],
      [/^gemini-(?:1\.5|2\.0)-(?:pro|flash)(?!.*thinking)/, 'vision', 'audio', 'tools', 'streaming'],
      [/^gemini-(?:2\.5|3(?:\.\d)?)-(?:pro|flash)/, 'vision', 'audio', 'tools', 'reasoning', 'streaming'],
    ],
  },
  {
    provider: 'DeepSeek',
    models: /^deepseek-/,
    facts: [
      [/^deepseek-(?:reasoner|r1)(?:$|[:-])/, 'reasoning', 'streaming'],
      [/^deepseek-(?:chat|v3)/, ...agent],
    ],
  },
  {
    provider: 'xAI',
    models: /^grok-/,
    facts: [
      [/^grok-(?:2-image|imagine-image)/, 'images'],
      [/^grok-(?:2-vision|vision)/, 'vision', 'streaming'],
      [/^grok-(?:3-mini|code-fast)/, ...thinking],
      [/^grok-(?:2|3|beta)/, ...agent],
      [/^grok-4-fast-non-reasoning/, ...seeing],
      [/^grok-4(?:$|-0709|-latest|-fast-reasoning)/, ...full],
    ],
  },
  {
    provider: 'Mistral AI',
    models: /^(?:(?:open-)?(?:mistral|mixtral)-|codestral|ministral-|magistral-|pixtral-|devstral-)/,
    facts: [
      [/^mistral-embed/, 'embeddings'],
      [/^mistral-ocr/, 'ocr'],
      [/^pixtral-/, ...seeing],
      [/^magistral-/, ...thinking],
      [/^(?:mistral-(?:large|medium|small)|ministral-|devstral-)/, ...agent],
      [/^(?:codestral|open-mixtral|open-mistral)/, ...chat],
    ],
  },
  {
    provider: 'Alibaba Tongyi Qianwen',
    models: /^(?:qwen|qwq|qvq|wanx|text-embedding-v\d|gte-rerank|ali-stable-diffusion)/,
    facts: [
      [/^text-embedding-v/, 'embeddings'],
      [/^gte-rerank/, 'rerank'],
      [/^(?:wanx|ali-stable-diffusion)/, 'images'],
      [/^qwen-?(?:\d(?:\.\d)?-?)?vl/, 'vision', 'streaming'],
      [/^qvq/, 'vision', 'reasoning', 'streaming'],
      [/^qwq/, 'reasoning', 'streaming'],
      [/^qwen-(?:audio)/, 'audio', 'streaming'],
      [/^qwen3-coder|^qwen-(?:max|plus|turbo|flash)/, ...agent],
    ],
  },
  {
    provider: 'Zhipu ChatGLM',
    models: /^(?:c?glm-|chatglm|cog(?:view|video)|charglm|codegeex|embedding-[23]$|emohaa)/,
    facts: [
      [/^embedding-/, 'embeddings'],
      [/^cogview/, 'images'],
      [/^glm-4(?:\.\d)?v/, 'vision', 'streaming'],
      [/^glm-4\.[5-7](?:$|-)/, ...thinking],
      [/^glm-zero/, 'reasoning', 'streaming'],
      [/^glm-4(?:$|-)/, ...agent],
    ],
  },
  {
    provider: 'Moonshot AI',
    models: /^(?:moonshot-|kimi-)/,
    facts: [
      [/^moonshot-v1-.*vision/, 'vision', 'streaming'],
      [/^kimi-k2-thinking/, ...thinking],
      [/^(?:moonshot-v1-|kimi-k2-)/, ...agent],
    ],
  },
  {
    provider: 'Cohere',
    models: /^(?:command|embed-(?:english|multilingual|v\d)|rerank-)/,
    facts: [
      [/^embed-/, 'embeddings'],
      [/^rerank-/, 'rerank'],
      [/^command-(?:r|a)(?:$|-)/, ...agent],
      [/^command/, ...chat],
    ],
  },
  { provider: 'MiniMax', models: /^(?:abab|minimax-)/i, facts: [[/^minimax-m2/i, ...thinking]] },
  { provider: 'Baidu Wenxin Qianfan', models: /^(?:ernie-|embedding-v1$)/i, facts: [[/^embedding/i, 'embeddings']] },
  { provider: 'ByteDance Doubao', models: /^doubao-/i, facts: [[/^doubao-embedding/i, 'embeddings']] },
  { provider: 'Tencent Hunyuan', models: /^hunyuan-/, facts: [[/^hunyuan-embedding/, 'embeddings']] },
  { provider: 'iFlytek Spark', models: /^spark-/i, facts: [] },
  { provider: 'Baichuan', models: /^baichuan/i, facts: [[/embedding/i, 'embeddings']] },
  { provider: '01.AI', models: /^yi-/, facts: [[/^yi-vision/, 'vision', 'streaming']] },
  { provider: 'StepFun', models: /^step-/, facts: [[/^step-1(?:\.5)?v/, 'vision', 'streaming']] },
  {
    provider: 'Meta',
    models: /^(?:meta-)?llama/,
    facts: [[/llama-3\.2-(?:11|90)b-vision/, 'vision', 'streaming']],
  },
  {
    provider: 'BAAI',
    models: /^bge-/,
    facts: [
      [/^bge-reranker/, 'rerank'],
      [/^bge-(?:large|base|small|m3)/, 'embeddings'],
    ],
  },
  {
    provider: 'Black Forest Labs',
    models: /^flux/i,
    facts: [[/^flux/i, 'images']],
  },
  { provider: 'Microsoft', models: /^(?:phi-|wizardlm)/, facts: [] },
  { provider: 'Perplexity', models: /^sonar/, facts: [] },
];

/** Date suffix of a snapshot, which has the facts of its base model. */
const snapshot = /-\d{4}-\d{2}-\d{2}$/;

const unknown: ModelFacts = { provider: '', capabilities: [] };

/** Facts about a model, by its name. Unknown names have none. */
export function lookUpModelFacts(model: string): ModelFacts {
  const name = model.slice(model.lastIndexOf('/') + 1).replace(snapshot, '');
  const maker = makers.find(({ models }) => models.test(name));
  if (!maker) return unknown;
  const [, ...capabilities] = maker.facts.find(([models]) => models.test(name)) ?? [name];
  return { provider: maker.provider, capabilities };
}
