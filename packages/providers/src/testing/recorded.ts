import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An answer of a real upstream. They are not ours to keep in the repository: where they are absent, so are their tests. */
export interface Recording {
  /** Folder and file, for the test's title. */
  readonly name: string;
  readonly status: number;
  readonly url: string;
  /** Empty where only the answer was kept. */
  readonly requestBody: string;
  readonly bytes: Buffer;
}

const home = join(import.meta.dirname, '../../../../../shared/data/fixtures');

/** The recordings of one provider whose name matches; empty, with one line said, where there are none. */
export function recordingsOf(provider: string, wanted = /./): readonly Recording[] {
  const folder = join(home, provider);
  if (!existsSync(folder)) {
    process.stdout.write(`No recorded answers of ${provider} beside the repository: their tests are skipped\n`);
    return [];
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && wanted.test(name))
    .sort()
    .map((name) => readRecording(name, readFileSync(join(folder, name), 'utf8')));
}

function readRecording(name: string, text: string): Recording {
  if (!name.startsWith('recorded')) {
    // A stream kept as one event a line gets its framing back.
    const whole = name.endsWith('.chunks.txt') ? text.replace(/^(?=.)/gm, 'data: ').replaceAll('\n', '\n\n') : text;
    return { name, status: 200, url: '', requestBody: '', bytes: Buffer.from(whole) };
  }
  const { request, response } = JSON.parse(text) as Pair;
  return {
    name,
    status: response.status,
    url: request.url,
    requestBody: bytesOf(request).toString('utf8'),
    bytes: bytesOf(response),
  };
}

const bytesOf = ({ body, body_base64 }: Kept) =>
  body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64');

interface Kept {
  readonly body?: string;
  readonly body_base64?: string;
}

interface Pair {
  readonly request: Kept & { readonly url: string };
  readonly response: Kept & { readonly status: number };
}
