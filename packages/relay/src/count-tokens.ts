import type { RelayRequest } from './read-request.ts';

/** Tokens in a byte of text, about: a little more than most texts have, so that what is held suffices. */
const tokensPerByte = 0.38;
const tokensPerMessage = 4;
const tokensBeforeAnswer = 3;
export const tokensPerPicture = 1000;

export const estimateTokens = (bytes: number): number => Math.ceil(bytes * tokensPerByte);

/** About what the prompt will count, without decoding anything twice. */
export function estimatePrompt({ body, kind }: RelayRequest): number {
  const input = body[kind.input];
  const parts = Array.isArray(input) ? input : [input];
  const before = kind.input === 'messages' ? tokensBeforeAnswer : 0;
  const texts = parts.reduce<number>((sum, part) => sum + estimatePart(part), before);
  const extras = ['tools', 'functions', 'response_format'].filter((name) => body[name] !== undefined);
  return extras.reduce((sum, name) => sum + estimateTokens(JSON.stringify(body[name]).length), texts);
}

function estimatePart(part: unknown): number {
  if (typeof part === 'string') return estimateTokens(Buffer.byteLength(part));
  if (typeof part === 'number') return 1;
  if (typeof part !== 'object' || part === null) return 0;
  if (Array.isArray(part)) return part.reduce<number>((sum, item) => sum + estimatePart(item), 0);
  const { content, text, type, tool_calls } = part as Readonly<Record<string, unknown>>;
  if (type === 'image_url' || type === 'input_audio') return tokensPerPicture;
  if (text !== undefined) return estimatePart(text);
  const calls = tool_calls ? estimateTokens(JSON.stringify(tool_calls).length) : 0;
  return tokensPerMessage + calls + estimatePart(content);
}
