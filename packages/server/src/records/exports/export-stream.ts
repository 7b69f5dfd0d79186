import { Readable } from 'node:stream';

/** How long somebody may read nothing of a file before it is broken off. */
const usualPatienceMs = 60_000;

const bytesAhead = 256 * 1024;

/** A file that broke off: its reader is cut off too, and sees that it did not come to its end. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/** Chunks are made as they are read; who reads nothing for too long gets no more. */
export function exportStream(chunks: AsyncIterable<Uint8Array>, patienceMs: number = usualPatienceMs): Readable {
  const stall = () => content.destroy(new BrokenOff('Nobody reads the file'));
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
      // Goes on when the next one is asked for.
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}
