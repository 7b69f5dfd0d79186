/** Content type that browsers download instead of rendering. */
export const octetStream = 'application/octet-stream';

const events = 'text/event-stream';

const soundTypes = [
  'audio/aac',
  'audio/basic',
  'audio/flac',
  'audio/l16',
  'audio/m4a',
  'audio/mp3',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/opus',
  'audio/pcm',
  'audio/wav',
  'audio/wave',
  'audio/vnd.wave',
  'audio/webm',
  'audio/x-flac',
  'audio/x-m4a',
  'audio/x-wav',
] as const;

/** Content types that an upstream may choose, per endpoint kind. Browsers run none of them as script or markup. */
const allowedTypes = {
  bytes: new Set<string>([...soundTypes, events, octetStream]),
  text: new Set<string>([
    'application/json',
    'application/srt',
    'application/x-subrip',
    events,
    'text/plain',
    'text/srt',
    'text/vtt',
  ]),
  proxy: new Set<string>([
    ...soundTypes,
    'application/json',
    'application/jsonl',
    'application/ndjson',
    'application/problem+json',
    'application/vnd.amazon.eventstream',
    'application/x-ndjson',
    events,
    'image/avif',
    'image/gif',
    'image/jpeg',
    'image/png',
    'image/webp',
    octetStream,
    'text/csv',
    'text/markdown',
    'text/plain',
    'text/vtt',
    'video/mp4',
    'video/mpeg',
    'video/webm',
  ]),
} as const;

const maxTypeLength = 200;

/** One media type with plain parameters. A comma would start a second type, and browsers use the last one. */
const mediaType = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:[ \t]*;[ \t]*[a-z0-9-]+=(?:[a-z0-9._+-]+|"[a-z0-9._+ -]*"))*$/i;

/** Content type of a response: the upstream's if the endpoint allows it, otherwise `application/octet-stream`. */
export function allowedContentType(
  kind: keyof typeof allowedTypes,
  upstreamType: string | readonly string[] | undefined,
  whenMissing: string = octetStream,
): string {
  if (upstreamType === undefined) return whenMissing;
  const given = String(upstreamType).trim();
  const type = given.length <= maxTypeLength ? mediaType.exec(given)?.[1] : undefined;
  return type !== undefined && allowedTypes[kind].has(type.toLowerCase()) ? given : octetStream;
}
