import { RequestProblem, readDataUrl } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** A file as a document block: a PDF or a text. */
export function documentBlock(name: string, fileData: string): JsonObject {
  const { mediaType, data } = readDataUrl(fileData) ?? { mediaType: 'application/pdf', data: fileData };
  const title = name === '' ? {} : { title: name };
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title };
  }
  if (mediaType.startsWith('text/')) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  throw new RequestProblem('file', 'Claude accepts files only as PDF or text');
}
