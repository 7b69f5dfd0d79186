import { RequestProblem } from '../problems.ts';
import type { JsonObject } from '../provider.ts';

const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[a-z0-9=-]+)*;base64,/i;

/** A file as a document: a PDF, or a text. */
export function documentBlock(name: string, fileData: string): JsonObject {
  const head = dataUrl.exec(fileData);
  const mediaType = head?.[1]?.toLowerCase() ?? 'application/pdf';
  const data = fileData.slice(head?.[0].length ?? 0);
  const title = name === '' ? {} : { title: name };
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title };
  }
  if (mediaType.startsWith('text/')) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  throw new RequestProblem('file', 'Claude takes a file only as PDF or text');
}
