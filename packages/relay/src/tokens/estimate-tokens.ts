import type { Attachment, JsonObject, PromptFields } from '@headgate/dialects';
import { isConversation } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** Estimated tokens per byte of text, slightly above the typical value so that the reservation suffices. */
const tokensPerByte = 0.38;
const tokensPerMessage = 4;
const tokensBeforeResponse = 3;
export const tokensPerImage = 1000;
/** Estimated base64 characters of a file per token. */
const fileCharactersPerToken = 64;

/** Estimated tokens of non-text content if the provider does not report them. */
export const estimateAttachment = (attachment: Attachment): number => {
  if (attachment.kind === 'named') return 0;
  if (attachment.kind !== 'unmeasured') return tokensPerImage;
  return Math.max(tokensPerImage, Math.ceil(attachment.characters / fileCharactersPerToken));
};

export const estimateTokens = (bytes: number): number => Math.ceil(bytes * tokensPerByte);

/** Estimates prompt tokens without decoding anything twice. */
export function estimatePrompt({ body, kind }: RelayRequest): number {
  const { prompt } = kind.dialect;
  const input = body[kind.input];
  const parts = Array.isArray(input) ? input : [input];
  const before = isConversation(kind) ? tokensBeforeResponse : 0;
  const texts = parts.reduce<number>((sum, part) => sum + estimatePart(part, prompt), before);
  const again = kind.readAgain?.(body);
  const questions = again ? estimateTokens(Buffer.byteLength(again.text)) * again.times : 0;
  const extras = prompt.otherFields.filter((name) => body[name] !== undefined);
  return extras.reduce((sum, name) => sum + estimateTokens(JSON.stringify(body[name]).length), texts + questions);
}

function estimatePart(part: unknown, prompt: PromptFields): number {
  if (typeof part === 'string') return estimateTokens(Buffer.byteLength(part));
  if (typeof part === 'number') return 1;
  if (typeof part !== 'object' || part === null) return 0;
  if (Array.isArray(part)) return part.reduce<number>((sum, item) => sum + estimatePart(item, prompt), 0);
  const fields = part as JsonObject;
  const attachment = prompt.toAttachment(fields);
  if (attachment) return estimateAttachment(attachment);
  const text = fields[prompt.text];
  if (text !== undefined) return estimatePart(text, prompt);
  const textTokens = prompt.textFields.reduce((sum, name) => sum + estimateJson(fields[name]), 0);
  return prompt.nested.reduce((sum, name) => sum + estimatePart(fields[name], prompt), tokensPerMessage + textTokens);
}

const estimateJson = (value: unknown): number =>
  value === undefined || value === null ? 0 : estimateTokens(JSON.stringify(value).length);
