import { channelTypes } from '@headgate/contract';

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

/** GenAI name of a channel type's provider. */
export const providerName = (type: number): string => wellKnown[type] ?? ownNames.get(type) ?? 'unknown';
