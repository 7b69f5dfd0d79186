import { type JsonObject, objectOf } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf } from './field-spelling.ts';

/** Request whose prompt `countTokens` counts: nested, or as top-level fields. */
export function readCountRequest(body: JsonObject): JsonObject {
  const whole = fieldOf(body, 'generateContentRequest');
  if (whole === undefined) return body;
  if (body['contents'] != null) {
    throw new RequestProblem('contents', 'Send either contents or generateContentRequest, not both');
  }
  return objectOf(whole, 'generateContentRequest');
}

export const writeTokenCount = (tokens: number): JsonObject => ({
  totalTokens: tokens,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
});
