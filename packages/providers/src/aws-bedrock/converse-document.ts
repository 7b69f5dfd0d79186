import { RequestProblem, readDataUrl } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

const formats: Readonly<Record<string, string>> = {
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

export function documentBlock(name: string, fileData: string): JsonObject {
  const { mediaType, data } = readDataUrl(fileData) ?? { mediaType: 'application/pdf', data: fileData };
  const format = formats[mediaType];
  if (format === undefined) throw new RequestProblem('file', 'Amazon Bedrock does not support this file type');
  // A document name has a limited character set.
  const safeName = name.replace(/\.[a-z]+$/i, '').replace(/[^a-zA-Z0-9()[\] -]+/g, '-');
  return {
    document: { format, name: safeName || 'document', source: { bytes: data } },
  };
}
