import { GuardedSink } from './guarded-sink.ts';
import { UpstreamConnectionError, type UpstreamResponse, type UpstreamSink } from './upstream-exchange.ts';

/** Reads a response to its end, up to a limit. */
export function collectBody(response: UpstreamResponse, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const sink: UpstreamSink = {
      data(chunk) {
        length += chunk.length;
        if (length <= limit) chunks.push(chunk);
        else {
          response.abort();
          reject(new UpstreamConnectionError('the response is too long'));
        }
      },
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}

/** Reads the start of a response and does not wait for the rest. */
export function collectBodyStart(response: UpstreamResponse, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const sink: UpstreamSink = {
      data(chunk) {
        chunks.push(chunk);
        length += chunk.length;
        if (length < max) return;
        resolve(Buffer.concat(chunks));
        response.abort();
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}
