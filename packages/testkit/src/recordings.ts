import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A recorded response of an upstream. */
export interface Recording {
  /** Path within the provider's folder, used in test titles. */
  readonly name: string;
  readonly status: number;
  /** URL of the request; empty if only the response was recorded. */
  readonly url: string;
  readonly requestBody: string;
  readonly bytes: Buffer;
  /** Parsed JSON response; undefined for a stream. */
  readonly json: unknown;
}

/** Written by hand in the format of each provider; see the README in that folder. */
const own = join(import.meta.dirname, '../recordings');
/**
 * Responses of real upstreams are not part of the repository. They are used if the folder exists next to the
 * checkout.
 */
const others = join(import.meta.dirname, '../../../../shared/data/fixtures');

/** Recordings of this provider: our own, followed by external ones. */
export function recordingsOf(provider: string): readonly Recording[] {
  return [
    ...filesIn(join(own, provider))
      .filter((name) => !name.endsWith('.request.json'))
      .map((name) => readOwn(join(own, provider), name)),
    ...filesIn(join(others, provider)).map((name) =>
      readOther(name, readFileSync(join(others, provider, name), 'utf8')),
    ),
  ];
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .sort();
}

/**
 * `key-unknown.401.json` was returned with status 401. `text.request.json` is the request of `text.json` and
 * `text.sse`.
 */
function readOwn(folder: string, name: string): Recording {
  const bytes = framed(name, readFileSync(join(folder, name), 'utf8'));
  const requested = join(folder, `${name.replace(/\..*$/, '')}.request.json`);
  const { url, body } = existsSync(requested)
    ? (JSON.parse(readFileSync(requested, 'utf8')) as { url: string; body: unknown })
    : { url: '', body: '' };
  const status = Number(/\.(\d{3})\.json$/.exec(name)?.[1] ?? 200);
  return { name, status, url, requestBody: body === '' ? '' : JSON.stringify(body), bytes, json: jsonIn(bytes) };
}

function readOther(name: string, text: string): Recording {
  if (!name.startsWith('recorded')) {
    const bytes = framed(name, text);
    return { name, status: 200, url: '', requestBody: '', bytes, json: jsonIn(bytes) };
  }
  const { request, response } = JSON.parse(text) as Pair;
  const bytes = bytesOf(response);
  const requestBody = bytesOf(request).toString('utf8');
  return { name, status: response.status, url: request.url, requestBody, bytes, json: jsonIn(bytes) };
}

/** Restores the SSE framing of a stream recorded as one event per line. */
const framed = (name: string, text: string) =>
  Buffer.from(name.endsWith('.chunks.txt') ? text.replace(/^(?=.)/gm, 'data: ').replaceAll('\n', '\n\n') : text);

const bytesOf = ({ body, body_base64 }: RecordedBody) =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64');

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

interface RecordedBody {
  readonly body?: string;
  readonly body_base64?: string;
}

interface Pair {
  readonly request: RecordedBody & { readonly url: string };
  readonly response: RecordedBody & { readonly status: number };
}
