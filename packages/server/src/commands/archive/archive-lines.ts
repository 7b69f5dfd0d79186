import { StartFailure } from '../../platform/errors/start-failure.ts';

/** Longer than any row; limits the memory that a file can use. */
const longestLine = 256 * 1024 * 1024;
const newLine = 0x0a;

export const damagedContentsError = (detail: string): StartFailure =>
  new StartFailure(`The file cannot be restored: ${detail}. Nothing was changed.`);

/** Yields the lines of a text in groups; every line ends with a line break. */
export async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const some of bytes) {
    const chunk = Buffer.from(some.buffer, some.byteOffset, some.byteLength);
    const end = chunk.lastIndexOf(newLine);
    length += end === -1 ? chunk.length : 0;
    if (length > longestLine) throw damagedContentsError('a line is too long');
    if (end === -1) {
      parts.push(chunk);
      continue;
    }
    const whole = Buffer.concat([...parts, chunk.subarray(0, end)]).toString('utf8');
    const rest = chunk.subarray(end + 1);
    parts = rest.length > 0 ? [rest] : [];
    length = rest.length;
    yield whole.split('\n');
  }
  if (length > 0) throw damagedContentsError('it is incomplete');
}
