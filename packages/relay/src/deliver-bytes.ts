import type { ClientSink } from './client-sink.ts';
import type { RelayRequest } from './read-request.ts';
import { clientLeft, RelayError } from './relay-error.ts';
import type { UpstreamResponse } from './upstream-exchange.ts';

/** How an answer of bytes went by. */
export interface BytesDelivery {
  readonly isStarted: boolean;
  readonly failure: RelayError | undefined;
  readonly stoppedBy: 'upstream' | 'client' | undefined;
}

/** Pictures that come as events, better and better ones, when they were asked for so: their price is known before. */
export const drawsInEvents = ({ kind, body }: RelayRequest, { headers }: UpstreamResponse): boolean =>
  kind.costs === 'images' &&
  String(body['stream']) === 'true' &&
  String(headers['content-type']).startsWith('text/event-stream');

/** Passes an answer on as it comes, all but its end: that is the caller's to say, when it was charged. */
export function deliverBytes(response: UpstreamResponse, client: ClientSink): Promise<BytesDelivery> {
  const contentType = response.headers['content-type'];
  let isStarted = false;
  return new Promise((resolve) => {
    const stop = (stoppedBy: 'upstream' | 'client', failure: RelayError) => resolve({ isStarted, failure, stoppedBy });
    client.leaving.addEventListener('abort', () => {
      stop('client', clientLeft());
      response.abort();
    });
    response.read({
      data(chunk) {
        if (!isStarted) client.start(200, { 'content-type': String(contentType ?? 'application/octet-stream') });
        isStarted = true;
        if (client.write(chunk)) return;
        response.pause();
        client.onDrained(() => response.resume());
      },
      end: () => resolve({ isStarted, failure: undefined, stoppedBy: undefined }),
      fail: (error) => stop('upstream', new RelayError(502, `The upstream's answer broke off: ${error.message}`)),
    });
  });
}
