export interface InlineData {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

const maxHeadLength = 256;

const mediaTypePattern = /^[a-z]+\/[a-z0-9.+-]+$/;

/**
 * Content of a base64 `data:` URL; undefined for anything else. Examines only the start, because the URL may be
 * megabytes long.
 */
export function readDataUrl(url: string): InlineData | undefined {
  const start = url.slice(0, maxHeadLength);
  const comma = start.indexOf(',');
  const head = start.slice(0, Math.max(comma, 0)).toLowerCase();
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return undefined;
  const [mediaType = ''] = head.slice('data:'.length).split(';');
  return mediaTypePattern.test(mediaType) ? { mediaType, data: url.slice(comma + 1) } : undefined;
}
