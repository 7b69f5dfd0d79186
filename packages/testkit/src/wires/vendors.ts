import { createHmac } from 'node:crypto';
import { openaiCompatibleTypes } from '@headgate/contract';
import { expect } from 'vitest';
import { reply } from '../upstreams/stub-upstream.ts';
import { dialectWire, withMaxTokens, withoutStreamOptions, withSystemRole } from './dialect.ts';
import type { Wire } from './wire.ts';

/** OpenAI-compatible types that are fully described by their row in the table. */
const compatible: readonly Wire[] = openaiCompatibleTypes.map(({ id, name, openaiCompatible }) =>
  dialectWire(id, name, openaiCompatible.models?.[0] ?? 'gpt-4o'),
);

/** Other types that serve OpenAI's own models. */
const openaiLike: readonly Wire[] = (
  [
    [1, 'OpenAI'],
    [4, 'CloseAI'],
    [5, 'OpenAI-SB'],
    [8, 'custom'],
    [10, 'AI Proxy'],
    [12, 'API2GPT'],
    [13, 'AIGC2D'],
    [22, 'FastGPT'],
    [46, 'Ruyi'],
  ] as const
).map(([type, name]) => dialectWire(type, name, 'gpt-4o'));

const azureKey = { authorization: undefined, 'api-key': 'secret-key-of-the-channel' };
const expectAzureKey = ({ headers }: { headers: object }) =>
  expect({ authorization: undefined, ...headers }).toMatchObject(azureKey);

const azure: readonly Wire[] = [
  dialectWire(3, 'Azure by a dated version', 'gpt-3.5-turbo', {
    channel: { other: '2024-10-21' },
    path: '/openai/deployments/gpt-35-turbo/chat/completions?api-version=2024-10-21',
    expectHeaders: expectAzureKey,
    prelude: `data: ${JSON.stringify({ id: '', object: '', created: 0, model: '', prompt_filter_results: [], choices: [] })}\n\n`,
  }),
  dialectWire(3, 'Azure without dates', 'gpt-4.1', {
    channel: { other: 'v1' },
    path: '/openai/v1/chat/completions',
    expectHeaders: expectAzureKey,
  }),
];

/** MiniMax adds its own status to every response. */
const miniMax = dialectWire(27, 'MiniMax', 'MiniMax-Text-01', {
  path: '/v1/text/chatcompletion_v2',
  body: withSystemRole,
  extraFields: { base_resp: { status_code: 0, status_msg: '' } },
  reject: (message) => reply({ choices: null, base_resp: { status_code: 1004, status_msg: message } }),
});

const own: readonly Wire[] = [
  dialectWire(19, '360 Zhinao', '360gpt-pro', { body: withMaxTokens }),
  dialectWire(20, 'OpenRouter', 'openai/gpt-4o', {
    headers: { 'x-title': 'Headgate' },
    prelude: ': OPENROUTER PROCESSING\n\n',
  }),
  dialectWire(25, 'Moonshot', 'moonshot-v1-8k', { body: withSystemRole, usageAt: 'choice' }),
  dialectWire(26, 'Baichuan', 'Baichuan4', { body: withMaxTokens }),
  miniMax,
  dialectWire(28, 'Mistral', 'mistral-large-latest', {
    body: (body) => withoutStreamOptions(withMaxTokens(body)),
    usageAt: 'last',
  }),
  dialectWire(29, 'Groq', 'llama-3.3-70b-versatile', { body: withSystemRole, usageAt: 'x_groq' }),
  dialectWire(31, '01.AI', 'yi-lightning', { body: withMaxTokens }),
  dialectWire(32, 'StepFun', 'step-1-8k', { body: withMaxTokens }),
  dialectWire(36, 'DeepSeek', 'deepseek-chat', { body: withMaxTokens, prelude: ': keep-alive\n\n' }),
  dialectWire(39, 'together.ai', 'meta-llama/Llama-3-70b-chat-hf', { body: withMaxTokens }),
  dialectWire(40, 'Doubao', 'ep-2024', { path: '/api/v3/chat/completions', body: withSystemRole }),
  dialectWire(41, 'Novita', 'deepseek/deepseek-v3', { path: '/chat/completions', body: withMaxTokens }),
  dialectWire(44, 'SiliconFlow', 'Qwen/Qwen2.5-7B-Instruct', { body: withMaxTokens }),
  dialectWire(45, 'xAI', 'grok-3', { body: withSystemRole }),
  dialectWire(37, 'Cloudflare', '@cf/meta/llama-3.1-8b-instruct', {
    channel: { config: JSON.stringify({ user_id: 'account-1' }) },
    path: '/client/v4/accounts/account-1/ai/v1/chat/completions',
    reject: (message) =>
      reply({ success: false, errors: [{ code: 10_000, message }], messages: [], result: null }, 401),
  }),
];

const zhipuSecret = 'secret-of-zhipu';

/** JWT made of the two parts of the key, with timestamps in milliseconds. */
function expectZhipuToken(authorization: string | undefined): void {
  const [head = '', claims = '', signature] = authorization?.replace('Bearer ', '').split('.') ?? [];
  expect(signature).toBe(createHmac('sha256', zhipuSecret).update(`${head}.${claims}`).digest('base64url'));
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'HS256', sign_type: 'SIGN' });
  const { api_key, exp, timestamp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect(api_key).toBe('id-of-zhipu');
  expect(Math.abs(timestamp - Date.now())).toBeLessThan(60_000);
  expect(exp).toBeGreaterThan(timestamp);
}

/** Providers with their own wire that are also OpenAI-compatible for some keys, settings or base URLs. */
const optionallyCompatible: readonly Wire[] = [
  dialectWire(15, 'Baidu, version 2', 'ERNIE-4.0-8K', {
    channel: { key: 'bce-v3/ALTAK-abc/secret-key-of-the-channel' },
    path: '/v2/chat/completions',
    expectHeaders: ({ headers }) =>
      expect(headers.authorization).toBe('Bearer bce-v3/ALTAK-abc/secret-key-of-the-channel'),
    body: (body) => ({ ...withSystemRole(body), model: 'ernie-4.0-8k' }),
  }),
  dialectWire(16, 'Zhipu', 'glm-4-flash', {
    channel: { key: `id-of-zhipu.${zhipuSecret}` },
    path: '/api/paas/v4/chat/completions',
    expectHeaders: ({ headers }) => expectZhipuToken(headers.authorization),
    body: withMaxTokens,
    usageAt: 'last',
    reject: (message) => reply({ error: { code: '1002', message } }, 401),
  }),
  dialectWire(17, 'Tongyi, compatible', 'qwen-plus', {
    path: '/compatible-mode/v1/chat/completions',
    body: withMaxTokens,
  }),
  dialectWire(18, 'Spark by HTTP', 'Spark-Max', {
    channel: { key: 'app-1|secret-of-spark|key-of-spark' },
    expectHeaders: ({ headers }) => expect(headers.authorization).toBe('Bearer key-of-spark:secret-of-spark'),
    body: (body) => ({
      ...withMaxTokens(body),
      model: 'generalv3.5',
      ...(body['tools'] !== undefined && { tool_calls_switch: true }),
    }),
    extraFields: { code: 0, message: 'Success', sid: 'cha-1' },
    dataPrefix: 'data:',
    usageAt: 'last',
  }),
  dialectWire(23, 'Hunyuan, compatible', 'hunyuan-turbos-latest', { body: withMaxTokens }),
  dialectWire(24, 'Gemini, compatible', 'gemini-2.0-flash', { basePath: '/v1beta/openai', path: '/chat/completions' }),
  dialectWire(30, 'Ollama, compatible', 'llama3', { basePath: '/v1', path: '/chat/completions' }),
  dialectWire(35, 'Cohere, compatible', 'command-a-03-2025', {
    basePath: '/compatibility',
    body: withoutStreamOptions,
    usageAt: 'last',
  }),
];

export const vendorWires: readonly Wire[] = [...compatible, ...openaiLike, ...azure, ...own, ...optionallyCompatible];
