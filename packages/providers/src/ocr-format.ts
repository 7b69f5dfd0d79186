import { type JsonObject, listAt, numberAt, objectAt } from '@headgate/dialects';

/** True if the body is an OCR response (has a `pages` array). */
export const isOcrResponse = ({ pages }: JsonObject): boolean => Array.isArray(pages);

/** Number of pages that an OCR response contains. */
export const returnedPages = (reply: JsonObject): number => listAt(reply, 'pages').length;

/** Field of `usage_info` with the number of pages that the upstream charges. */
export const pageCountField = 'pages_processed';

/** Number of pages that an upstream charges for an OCR request; undefined if it reports none. */
export const billedPages = (reply: JsonObject): number | undefined =>
  numberAt(objectAt(reply, 'usage_info'), pageCountField);
