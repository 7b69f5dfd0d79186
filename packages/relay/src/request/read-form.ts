import { randomBytes } from 'node:crypto';
import { modelField, readFormText } from '@headgate/dialects';
import { invalidForm, judgedFormType } from './form-structure.ts';
import { refuseDoubtfulField } from './judged-fields.ts';

/** A form and its fields by name; of several values under one name the last. */
export interface ReadForm {
  readonly form: FormData;
  readonly fields: Readonly<Record<string, unknown>>;
}

export async function parseForm(bytes: Buffer, contentType: string): Promise<ReadForm> {
  const form = await formOf(bytes, contentType);
  // Without a prototype: a field may have any name.
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of form) {
    refuseDoubtfulField(name, Object.hasOwn(fields, name));
    fields[plainName(name)] = typeof value === 'string' ? readFormText(name, value) : value;
  }
  return { form, fields };
}

/** The name of a field without the brackets that several values of one name have. */
const plainName = (name: string) => name.replace(/\[\]$/, '');

async function formOf(bytes: Buffer, contentType: string): Promise<FormData> {
  const type = judgedFormType(bytes, contentType);
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw invalidForm();
  }
}

/**
 * The form as it was read, for this model. It is written anew, not passed on: what one reader of forms takes for a file's
 * name another takes for a field. Texts keep their line ends, which the platform's own writer would change.
 */
export async function writeForm(form: FormData, model: string): Promise<{ bytes: Buffer; contentType: string }> {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const parts: (string | Buffer)[] = [];
  form.set(modelField, model);
  for (const [name, value] of form) {
    parts.push(`--${boundary}\r\ncontent-disposition: form-data; name="${escaped(name)}"`);
    if (typeof value === 'string') parts.push('\r\n\r\n', value, '\r\n');
    else {
      const type = value.type || 'application/octet-stream';
      parts.push(`; filename="${escaped(value.name)}"\r\ncontent-type: ${type}\r\n\r\n`);
      parts.push(Buffer.from(await value.arrayBuffer()), '\r\n');
    }
  }
  parts.push(`--${boundary}--\r\n`);
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

const escaped = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[character] ?? '');
