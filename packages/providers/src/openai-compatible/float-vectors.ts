import type { JsonObject } from '../provider.ts';

/** Asks vendors that know vectors as numbers only for those; the relay gives the client the form it asked for. */
export const floatVectors = (body: JsonObject): JsonObject =>
  body['encoding_format'] === 'base64' ? { encoding_format: undefined } : {};
