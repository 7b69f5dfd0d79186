import type { JsonObject } from '../provider.ts';

/** Requests numbers from vendors that support nothing else; the relay converts them to the requested encoding. */
export const floatVectors = (body: JsonObject): JsonObject =>
  body['encoding_format'] === 'base64' ? { encoding_format: undefined } : {};
