import { Readable } from 'node:stream';

/** How long a client may stop reading before the export is aborted. */
const defaultReadTimeoutMs = 60_000;

const bytesAhead = 256 * 1024;

/** Error of an aborted export. It also closes the client's connection, so that the file is recognizably incomplete. */
export class ExportAbortedError extends Error {
  override readonly name = 'BrokenOff';
}

/** Produces chunks as they are read. The stream is aborted if reading stops for too long. */
export function exportStream(chunks: AsyncIterable<Uint8Array>, patienceMs: number = defaultReadTimeoutMs): Readable {
  const stall = () => content.destroy(new ExportAbortedError('Nobody reads the file'));
  const content: Readable = Readable.from(watched(chunks, stall, patienceMs), {
    objectMode: false,
    highWaterMark: bytesAhead,
  });
  return content;
}

async function* watched(chunks: AsyncIterable<Uint8Array>, stall: () => void, patienceMs: number) {
  for await (const chunk of chunks) {
    const timer = setTimeout(stall, patienceMs);
    try {
      // Resumes when the next chunk is requested.
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}
