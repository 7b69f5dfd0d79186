import { anthropicMessages } from './anthropic-messages/index.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini/index.ts';
import { ollamaChat, ollamaGenerate } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';

/** One line per dialect, by endpoint name. */
export const dialects = {
  chat: openaiChat,
  responses: openaiResponses,
  messages: anthropicMessages,
  generateContent: gemini,
  ollamaChat,
  ollamaGenerate,
} as const satisfies Readonly<Record<string, Dialect>>;

export type ConversationName = keyof typeof dialects;
