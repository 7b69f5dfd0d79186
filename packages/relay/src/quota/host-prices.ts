import type { ProviderPrices } from './price-list.ts';

/** Date on which the prices were read. */
const read = '2026-11-17';
/** Yuan per dollar, as in all built-in tables. */
const yuanPerDollar = 7;
const yuan = (input: number, output = input): readonly [number, number] => [
  input / yuanPerDollar,
  output / yuanPerDollar,
];

/**
 * Cloudflare publishes no price for most of its older 7B models, so they have the list price of its Llama 3 8B, the
 * most expensive model of that size.
 */
const cloudflare7b = [0.282, 0.827] as const;

/**
 * Companies that host open models, and vendors that price in yuan. Prices in yuan are converted at seven to the dollar.
 * A retired model keeps its last published price. `source` is the page to compare with. Only these rows were compared,
 * with stored copies of public pages: the first four of Cloudflare, SiliconFlow's without `Pro/` and embeddings, and
 * Groq's Llama 3.1 8B and 3.2 11B and 90B. All others are commonly known prices that still need to be checked.
 */
export const hostPrices: readonly ProviderPrices[] = [
  {
    maker: 'Cloudflare Workers AI',
    source: 'https://developers.cloudflare.com/workers-ai/platform/pricing/',
    date: read,
    models: {
      '@cf/meta/llama-3.1-8b-instruct': [0.282, 0.827],
      '@cf/meta/llama-3-8b-instruct': [0.282, 0.827],
      '@cf/meta/llama-2-7b-chat-fp16': [0.556, 6.667],
      '@cf/mistral/mistral-7b-instruct-v0.1': [0.11, 0.19],
      // Other editions of Llama 2 have the published price of its 16-bit edition.
      '@cf/meta/llama-2-7b-chat-int8': [0.556, 6.667],
      '@cf/meta-llama/llama-2-7b-chat-hf-lora': [0.556, 6.667],
      '@hf/thebloke/llama-2-13b-chat-awq': [0.556, 6.667],
      '@hf/thebloke/deepseek-coder-6.7b-base-awq': cloudflare7b,
      '@hf/thebloke/deepseek-coder-6.7b-instruct-awq': cloudflare7b,
      '@cf/deepseek-ai/deepseek-math-7b-base': cloudflare7b,
      '@cf/deepseek-ai/deepseek-math-7b-instruct': cloudflare7b,
      '@cf/thebloke/discolm-german-7b-v1-awq': cloudflare7b,
      '@cf/tiiuae/falcon-7b-instruct': cloudflare7b,
      '@cf/google/gemma-2b-it-lora': cloudflare7b,
      '@hf/google/gemma-7b-it': cloudflare7b,
      '@cf/google/gemma-7b-it-lora': cloudflare7b,
      '@hf/nousresearch/hermes-2-pro-mistral-7b': cloudflare7b,
      '@hf/thebloke/llamaguard-7b-awq': cloudflare7b,
      '@hf/thebloke/mistral-7b-instruct-v0.1-awq': cloudflare7b,
      '@hf/mistralai/mistral-7b-instruct-v0.2': cloudflare7b,
      '@cf/mistral/mistral-7b-instruct-v0.2-lora': cloudflare7b,
      '@hf/thebloke/neural-chat-7b-v3-1-awq': cloudflare7b,
      '@cf/openchat/openchat-3.5-0106': cloudflare7b,
      '@hf/thebloke/openhermes-2.5-mistral-7b-awq': cloudflare7b,
      '@cf/microsoft/phi-2': cloudflare7b,
      '@cf/qwen/qwen1.5-0.5b-chat': cloudflare7b,
      '@cf/qwen/qwen1.5-1.8b-chat': cloudflare7b,
      '@cf/qwen/qwen1.5-7b-chat-awq': cloudflare7b,
      // Twice the size, so it has the published price of the 16-bit Llama 2.
      '@cf/qwen/qwen1.5-14b-chat-awq': [0.556, 6.667],
      '@cf/defog/sqlcoder-7b-2': cloudflare7b,
      '@hf/nexusflow/starling-lm-7b-beta': cloudflare7b,
      '@cf/tinyllama/tinyllama-1.1b-chat-v1.0': cloudflare7b,
      '@hf/thebloke/zephyr-7b-beta-awq': cloudflare7b,
    },
  },
  {
    maker: 'together.ai',
    source: 'https://www.together.ai/pricing',
    date: read,
    models: {
      'meta-llama/Llama-3-70b-chat-hf': [0.88, 0.88],
      'deepseek-ai/deepseek-coder-33b-instruct': [0.8, 0.8],
      'mistralai/Mixtral-8x22B-Instruct-v0.1': [1.2, 1.2],
      'Qwen/Qwen1.5-72B-Chat': [0.9, 0.9],
    },
  },
  {
    maker: 'SiliconFlow',
    source: 'https://docs.siliconflow.cn/cn/faqs/misc',
    date: read,
    models: {
      'deepseek-ai/deepseek-llm-67b-chat': yuan(1),
      'deepseek-ai/DeepSeek-V2-Chat': yuan(1.33),
      'deepseek-ai/DeepSeek-Coder-V2-Instruct': yuan(1.33),
      'Qwen/Qwen2-72B-Instruct': yuan(4.13),
      'Qwen/Qwen2-57B-A14B-Instruct': yuan(1.26),
      'Qwen/Qwen1.5-110B-Chat': yuan(4.13),
      'Qwen/Qwen1.5-32B-Chat': yuan(1.26),
      'Qwen/Qwen1.5-14B-Chat': yuan(0.7),
      '01-ai/Yi-1.5-34B-Chat-16K': yuan(1.26),
      // Listed as free.
      'Qwen/Qwen2-7B-Instruct': [0, 0],
      'Qwen/Qwen2-1.5B-Instruct': [0, 0],
      'Qwen/Qwen1.5-7B-Chat': [0, 0],
      'THUDM/glm-4-9b-chat': [0, 0],
      'THUDM/chatglm3-6b': [0, 0],
      '01-ai/Yi-1.5-9B-Chat-16K': [0, 0],
      '01-ai/Yi-1.5-6B-Chat': [0, 0],
      'internlm/internlm2_5-7b-chat': [0, 0],
      'BAAI/bge-large-en-v1.5': [0, 0],
      'BAAI/bge-large-zh-v1.5': [0, 0],
      // Paid editions of the free models. If no price page was found, they have the highest price of that size.
      'Pro/Qwen/Qwen2-7B-Instruct': yuan(0.35),
      'Pro/Qwen/Qwen2-1.5B-Instruct': yuan(0.35),
      'Pro/Qwen/Qwen1.5-7B-Chat': yuan(0.35),
      'Pro/THUDM/glm-4-9b-chat': yuan(0.6),
      'Pro/THUDM/chatglm3-6b': yuan(0.6),
      'Pro/01-ai/Yi-1.5-9B-Chat-16K': yuan(0.6),
      'Pro/01-ai/Yi-1.5-6B-Chat': yuan(0.6),
      'Pro/google/gemma-2-9b-it': yuan(0.6),
      'Pro/internlm/internlm2_5-7b-chat': yuan(0.6),
      'Pro/meta-llama/Meta-Llama-3-8B-Instruct': yuan(0.6),
      'Pro/mistralai/Mistral-7B-Instruct-v0.2': yuan(0.6),
    },
  },
  {
    maker: 'Novita',
    source: 'https://novita.ai/pricing',
    date: read,
    models: {
      'sao10k/l3-70b-euryale-v2.1': [1.48, 1.48],
      'Nous-Hermes-2-Mixtral-8x7B-DPO': [0.54, 0.54],
      lzlv_70b: [0.58, 0.78],
    },
  },
  {
    maker: 'Groq',
    source: 'https://groq.com/pricing',
    date: read,
    models: {
      'llama-3.1-70b-versatile': [0.59, 0.79],
      'llama-3.1-8b-instant': [0.05, 0.08],
      'llama-3.2-90b-vision-preview': [0.9, 0.9],
      'llama-3.2-90b-text-preview': [0.9, 0.9],
      'llama-3.2-11b-vision-preview': [0.18, 0.18],
      'llama-3.2-11b-text-preview': [0.18, 0.18],
      'llama-3.2-3b-preview': [0.06, 0.06],
      'llama-3.2-1b-preview': [0.04, 0.04],
      'llama-guard-3-8b': [0.2, 0.2],
      'deepseek-r1-distill-llama-70b': [0.75, 0.99],
      'deepseek-r1-distill-llama-70b-specdec': [0.75, 0.99],
      // Free during its preview, so it has the price of the 11B model that replaced it.
      'llava-v1.5-7b-4096-preview': [0.18, 0.18],
    },
  },
  {
    maker: 'OpenRouter',
    source: 'https://openrouter.ai/openrouter/auto',
    date: read,
    // Costs as much as the model it selects, so it has the price of the most expensive common choice, Claude Opus 4.1.
    models: { 'openrouter/auto': [15, 75] },
  },
  {
    maker: 'ByteDance Volcengine',
    source: 'https://www.volcengine.com/docs/82379/1544106',
    date: read,
    models: {
      'Doubao-pro-128k': yuan(5, 9),
      'Doubao-pro-32k': yuan(0.8, 2),
      'Doubao-pro-4k': yuan(0.8, 2),
      'Doubao-lite-128k': yuan(0.8, 1),
      'Doubao-lite-32k': yuan(0.3, 0.6),
      'Doubao-lite-4k': yuan(0.3, 0.6),
      'Doubao-embedding': yuan(0.5, 0),
    },
  },
  {
    maker: 'iFlytek',
    source: 'https://xinghuo.xfyun.cn/sparkapi',
    date: read,
    // Sold in token packages, so it has the per-token price of the smallest and most expensive package.
    models: {
      'Spark-Lite': [0, 0],
      'Spark-Pro': yuan(30),
      'Spark-Pro-128K': yuan(30),
      'Spark-Max': yuan(30),
      'Spark-Max-32K': yuan(32),
      'Spark-4.0-Ultra': yuan(100),
    },
  },
  {
    maker: 'Tencent',
    source: 'https://cloud.tencent.com/document/product/1729/97731',
    date: read,
    models: {
      'hunyuan-lite': [0, 0],
      'hunyuan-standard': yuan(0.8, 2),
      'hunyuan-standard-256K': yuan(0.5, 2),
      'hunyuan-pro': yuan(30, 100),
    },
  },
  {
    maker: 'StepFun',
    source: 'https://platform.stepfun.com/docs/pricing/details',
    date: read,
    models: {
      'step-1-8k': yuan(5, 20),
      'step-1-32k': yuan(15, 70),
      'step-1-128k': yuan(40, 200),
      'step-1-256k': yuan(95, 300),
      'step-1-flash': yuan(1, 4),
      'step-2-16k': yuan(38, 120),
      'step-1v-8k': yuan(5, 20),
      'step-1v-32k': yuan(15, 70),
    },
  },
  {
    maker: 'Baichuan',
    source: 'https://platform.baichuan-ai.com/price',
    date: read,
    models: { 'Baichuan-Text-Embedding': yuan(0.5, 0) },
  },
];
