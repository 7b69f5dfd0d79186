import type { JsonObject } from '../provider.ts';

/** Requests numbers from vendors that support no other encoding; the relay converts them to the requested one. */
export const requestFloatVectors = (body: JsonObject): JsonObject =>
  body['encoding_format'] === 'base64' ? { encoding_format: undefined } : {};
