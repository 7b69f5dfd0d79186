import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MIMEType } from 'node:util';
import { modelField, readFormText } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';
import { rejectAmbiguousField } from './checked-fields.ts';

/** A file of a form, as a view of the body's bytes: nothing is copied before the model is checked. */
interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly bytes: Buffer;
}

export interface FormField {
  readonly name: string;
  readonly value: string | FormFile;
}

/** A form and its fields by name. If a name occurs several times, the last value counts. */
interface ParsedForm {
  readonly form: readonly FormField[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Total bytes of text fields. */
const maxTextBytes = 4 * 1024 * 1024;

export async function parseForm(bytes: Buffer, contentType: string): Promise<ParsedForm> {
  const form = await formOf(bytes, contentType);
  // Null prototype, because a field may have any name.
  const fields = Object.create(null) as Record<string, unknown>;
  for (const { name, value } of form) {
    rejectAmbiguousField(name, Object.hasOwn(fields, name));
    fields[plainName(name)] = typeof value === 'string' ? readFormText(name, value) : value;
  }
  return { form, fields };
}

/** Name of a field without the brackets of a list. */
const plainName = (name: string) => name.replace(/\[\]$/, '');

async function formOf(bytes: Buffer, contentType: string): Promise<readonly FormField[]> {
  const boundary = boundaryOf(bytes, contentType);
  if (boundary === undefined)
    return [...new URLSearchParams(bytes.toString('utf8'))].map(([name, value]) => ({ name, value }));
  const parts = await splitFormParts(bytes, boundary);
  const heads = await readHeads(parts, boundary);
  if (heads.length !== parts.length) throw invalidFormError();
  const isText = (index: number) => typeof heads[index]?.[1] === 'string';
  const textBytes = parts.reduce((sum, { content }, index) => sum + (isText(index) ? content.length : 0), 0);
  if (textBytes > maxTextBytes) throw formTooLargeError();
  return heads.map(([name, value], index) => fieldOf(name, value, parts[index]?.content ?? noBytes));
}

const noBytes = Buffer.alloc(0);

/** Names, file names and types, read by the platform's parser from a form that contains only these headers. */
async function readHeads(parts: readonly FormPart[], boundary: string): Promise<[string, string | File][]> {
  if (parts.length === 0) return [];
  const heads = parts.map(({ head }) => `--${boundary}\r\n${head.toString('latin1')}\r\n\r\n\r\n`);
  const body = Buffer.from(`${heads.join('')}--${boundary}--\r\n`, 'latin1');
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  try {
    return [...(await new Response(new Uint8Array(body), { headers }).formData())];
  } catch {
    throw invalidFormError();
  }
}

function fieldOf(name: string, value: string | File, bytes: Buffer): FormField {
  if (typeof value === 'string') return { name, value: new TextDecoder().decode(bytes) };
  return { name, value: { name: value.name, type: value.type, size: bytes.length, bytes } };
}

/**
 * Serializes the form for this model. The original bytes are not forwarded, because parsers disagree on what is a file
 * name and what is a field. Text keeps its line endings, which the platform's serializer would change.
 */
export function writeForm(form: readonly FormField[], model: string): { bytes: Buffer; contentType: string } {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const parts: (string | Buffer)[] = [];
  for (const { name, value } of withModel(form, model)) {
    parts.push(`--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"`);
    if (typeof value === 'string') parts.push('\r\n\r\n', value, '\r\n');
    else {
      const type = value.type || 'application/octet-stream';
      parts.push(`; filename="${escaped(value.name)}"\r\ncontent-type: ${type}\r\n\r\n`, value.bytes, '\r\n');
    }
  }
  parts.push(`--${boundary}--\r\n`);
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

/** Replaces the model field; appends it to a form without one. */
function withModel(form: readonly FormField[], model: string): readonly FormField[] {
  const field = { name: modelField, value: model };
  if (!form.some(({ name }) => name === modelField)) return [...form, field];
  return form.map((each) => (each.name === modelField ? field : each));
}

const escaped = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[character] ?? '');

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
/** Characters allowed in a boundary; parsers disagree about others. */
const plainBoundary = /^[\w'()+,./:=?-]{1,70}$/;

const lineEnd = '\r\n';
const headEnd = Buffer.from('\r\n\r\n');

/** A part of a form: its headers without the blank line, and its content. */
interface FormPart {
  readonly head: Buffer;
  readonly content: Buffer;
}

/** Boundary of a multipart form; undefined for a urlencoded form. */
function boundaryOf(bytes: Buffer, contentType: string): string | undefined {
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
async function splitFormParts(bytes: Buffer, boundary: string): Promise<readonly FormPart[]> {
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
    // For an empty part, the line ending belongs to the delimiter and was read with the headers.
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

const formTooLargeError = () =>
  new RelayError(413, 'The form has too many or too large parts', 'form_too_large', 'invalid_request_error');

const invalidFormError = () =>
  new RelayError(400, 'The body is not a valid form', 'invalid_form', 'invalid_request_error');
