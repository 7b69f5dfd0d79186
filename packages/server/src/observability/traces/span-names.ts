import { channelTypes } from '@headgate/contract';
import type { EndpointKind } from '@headgate/relay';

/** GenAI operation names; our own where none exists. */
export const operations: Readonly<Record<EndpointKind['name'], string>> = {
  chat: 'chat',
  responses: 'chat',
  messages: 'chat',
  ollamaChat: 'chat',
  generateContent: 'generate_content',
  ollamaGenerate: 'text_completion',
  completions: 'text_completion',
  embeddings: 'embeddings',
  compact: 'compact',
  moderations: 'moderation',
  rerank: 'rerank',
  images: 'image_generation',
  imageEdits: 'image_edit',
  speech: 'speech',
  transcriptions: 'transcription',
  translations: 'translation',
};

/** GenAI provider names by channel type; other types use their lower-case name. */
const wellKnown: Readonly<Record<number, string>> = {
  1: 'openai',
  3: 'azure.ai.openai',
  14: 'anthropic',
  24: 'gcp.gemini',
  28: 'mistral_ai',
  29: 'groq',
  33: 'aws.bedrock',
  35: 'cohere',
  36: 'deepseek',
  42: 'gcp.vertex_ai',
  45: 'x_ai',
};

const ownNames = new Map(
  channelTypes.map(({ id, name }) => [id as number, name.toLowerCase().replaceAll(/[^a-z\d]+/g, '_')]),
);

export const providerName = (type: number): string => wellKnown[type] ?? ownNames.get(type) ?? 'unknown';
