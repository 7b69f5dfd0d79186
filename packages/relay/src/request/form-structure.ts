import { setImmediate as nextTurn } from 'node:timers/promises';
import { MIMEType } from 'node:util';
import { RelayError } from '../ports/relay-error.ts';

/**
 * Maximum number of parts: a form has a few fields and images, and parsing a part costs more than parsing a thousand
 * bytes.
 */
const maxParts = 256;
/** Maximum bytes of all part headers: names, file names and types. Parsing 64 kB takes some milliseconds. */
const maxHeadBytes = 64 * 1024;
const maxHeadLength = 8 * 1024;
/** Maximum bytes of a urlencoded form, which has no files. */
const maxFieldsLength = 64 * 1024;
/** Bytes searched before the event loop runs other requests. */
const bytesAtOnce = 1024 * 1024;
/** Characters allowed in a boundary; parsers disagree on others. */
const plainBoundary = /^[\w'()+,./:=?-]{1,70}$/;

const lineEnd = '\r\n';
const headEnd = Buffer.from('\r\n\r\n');

/** A part of a form: its headers without the blank line, and its content. */
export interface FormPart {
  readonly head: Buffer;
  readonly content: Buffer;
}

/** Boundary of a multipart form; undefined for a urlencoded form. */
export function boundaryOf(bytes: Buffer, contentType: string): string | undefined {
  const type = mimeTypeOf(contentType);
  if (type?.essence === 'application/x-www-form-urlencoded') {
    if (bytes.length > maxFieldsLength) throw formTooLargeError();
    return undefined;
  }
  const boundary = type?.params.get('boundary') ?? '';
  if (type?.essence !== 'multipart/form-data' || !plainBoundary.test(boundary)) throw invalidFormError();
  return boundary;
}

/**
 * Parts of a multipart form, as views of its bytes. Searches only for delimiters and yields to the event loop in
 * between. A form with too many parts or headers is rejected before anything else is read.
 */
export async function splitFormParts(bytes: Buffer, boundary: string): Promise<readonly FormPart[]> {
  const first = `--${boundary}`;
  const delimiter = Buffer.from(lineEnd + first);
  const parts: FormPart[] = [];
  let headBytes = 0;
  // Text before the first part is ignored.
  let at = startsWith(bytes, first, 0) ? first.length : (await indexOf(bytes, delimiter, 0)) + delimiter.length;
  while (!startsWith(bytes, '--', at)) {
    if (!startsWith(bytes, lineEnd, at)) throw invalidFormError();
    const head = headAt(bytes, at + lineEnd.length);
    headBytes += head.length;
    const start = at + lineEnd.length + head.length + headEnd.length;
    // For an empty part, the line end belongs to the delimiter and was read with the headers.
    const end = await indexOf(bytes, delimiter, start - lineEnd.length);
    parts.push({ head, content: bytes.subarray(start, Math.max(start, end)) });
    if (parts.length > maxParts || headBytes > maxHeadBytes) throw formTooLargeError();
    at = end + delimiter.length;
  }
  return parts;
}

const startsWith = (bytes: Buffer, text: string, at: number): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

function headAt(bytes: Buffer, start: number): Buffer {
  const near = bytes.subarray(start, start + maxHeadLength);
  const end = near.indexOf(headEnd);
  if (end !== -1) return near.subarray(0, end);
  throw near.length === maxHeadLength ? formTooLargeError() : invalidFormError();
}

async function indexOf(bytes: Buffer, sought: Buffer, from: number): Promise<number> {
  for (let at = from; at < bytes.length; at += bytesAtOnce) {
    const found = bytes.subarray(at, at + bytesAtOnce + sought.length - 1).indexOf(sought);
    if (found !== -1) return at + found;
    await nextTurn();
  }
  throw invalidFormError();
}

function mimeTypeOf(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

export const formTooLargeError = () =>
  new RelayError(413, 'The form has too many or too large parts', 'form_too_large', 'invalid_request_error');

export const invalidFormError = () =>
  new RelayError(400, 'The body is not a valid form', 'invalid_form', 'invalid_request_error');
