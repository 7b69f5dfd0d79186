import { MIMEType } from 'node:util';
import { RelayError } from '../ports/relay-error.ts';

/** A form has some fields and some pictures. Each part costs its reader more than a thousand bytes do. */
const mostParts = 1000;
/** Bytes of the head of one part: its name, its file's name, its type. */
const longestHead = 8 * 1024;
/** Bytes of a form of the other kind, which has no files. */
const longestFields = 64 * 1024;
/** What a boundary may be made of; anything else is read differently by different readers. */
const plainBoundary = /^[\w'()+,./:=?-]{1,70}$/;

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Refuses a form whose structure, not its files, is larger than anything honest: before it is parsed, which keeps
 * everybody waiting. Gives the type to parse it by, in which nothing is left to how it is read.
 */
export function judgedFormType(bytes: Buffer, contentType: string): string {
  const type = mimeTypeOf(contentType);
  if (type?.essence === 'application/x-www-form-urlencoded') {
    if (bytes.length > longestFields) throw tooManyParts();
    return type.essence;
  }
  const boundary = type?.params.get('boundary') ?? '';
  if (type?.essence !== 'multipart/form-data' || !plainBoundary.test(boundary)) throw invalidForm();
  requireFewParts(bytes, Buffer.from(`--${boundary}`));
  return `multipart/form-data; boundary="${boundary}"`;
}

function requireFewParts(bytes: Buffer, delimiter: Buffer): void {
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; ) {
    const head = bytes.subarray(at + delimiter.length, at + delimiter.length + longestHead);
    const end = head.indexOf(headEnd);
    // After the last part there is no head.
    if (end === -1 && head.length === longestHead) throw tooManyParts();
    parts += 1;
    if (parts > mostParts) throw tooManyParts();
    at = end === -1 ? -1 : bytes.indexOf(delimiter, at + delimiter.length + end);
  }
}

function mimeTypeOf(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

const tooManyParts = () =>
  new RelayError(413, 'The form has too many parts, or too large ones', 'form_too_large', 'invalid_request_error');

export const invalidForm = () =>
  new RelayError(400, 'The body is not a valid form', 'invalid_form', 'invalid_request_error');
