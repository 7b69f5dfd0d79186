import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@headgate/dialects';
import { describe } from 'vitest';

/** An answer of a real upstream. */
export interface Recording {
  /** Its path under the provider's folder, for titles. */
  readonly name: string;
  readonly status: number;
  /** Where the question went; empty where only the answer was kept. */
  readonly url: string;
  readonly requestBody: string;
  readonly bytes: Buffer;
  /** The answer's JSON; undefined when it is a stream. */
  readonly json: unknown;
}

const home = join(import.meta.dirname, '../../../../../shared/data/fixtures');

/** Recordings are not ours to keep in the repository: where they are absent, their tests rest. */
export function describeRecorded(provider: string, tests: (recordings: readonly Recording[]) => void): void {
  const recordings = recordingsOf(provider);
  describe.skipIf(recordings.length === 0)(`recorded answers of ${provider}`, () => tests(recordings));
}

/** Empty, with one line said, where there are none. */
export function recordingsOf(provider: string): readonly Recording[] {
  const folder = join(home, provider);
  if (!existsSync(folder)) {
    process.stdout.write(`No recorded answers of ${provider} beside the repository: their tests are skipped\n`);
    return [];
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name))
    .sort()
    .map((name) => readRecording(name, readFileSync(join(folder, name), 'utf8')));
}

function readRecording(name: string, text: string): Recording {
  if (!name.startsWith('recorded')) {
    // A stream kept as one event a line gets its framing back.
    const whole = name.endsWith('.chunks.txt') ? text.replace(/^(?=.)/gm, 'data: ').replaceAll('\n', '\n\n') : text;
    const bytes = Buffer.from(whole);
    return { name, status: 200, url: '', requestBody: '', bytes, json: jsonIn(bytes) };
  }
  const { request, response } = JSON.parse(text) as Pair;
  const bytes = bytesOf(response);
  const requestBody = bytesOf(request).toString('utf8');
  return { name, status: response.status, url: request.url, requestBody, bytes, json: jsonIn(bytes) };
}

const bytesOf = ({ body, body_base64 }: Kept) =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64');

const jsonIn = (bytes: Buffer): unknown => parseJson(bytes.toString('utf8'));

interface Kept {
  readonly body?: string;
  readonly body_base64?: string;
}

interface Pair {
  readonly request: Kept & { readonly url: string };
  readonly response: Kept & { readonly status: number };
}
