import type { Dispatcher } from 'undici';
import { UpstreamConnectionError, type UpstreamResponse, type UpstreamSink } from './upstream-exchange.ts';

const maxErrorLength = 64 * 1024;

/** The HTTP response of an upstream that rejects a WebSocket, which the WebSocket API does not expose. */
export class WebSocketHandshake implements UpstreamResponse {
  #body: Buffer[] = [];
  #length = 0;
  status = 0;
  /** Error of the outbound proxy or the address check; undefined: another error, or none. */
  failure: UpstreamConnectionError | undefined;
  headers: UpstreamResponse['headers'] = {};

  /** Dispatcher that opens the socket. */
  readonly dispatcher: Dispatcher;

  constructor(agent: Dispatcher) {
    this.dispatcher = agent.compose((dispatch) => (options, handler) => dispatch(options, this.#watching(handler)));
  }

  get isRefused(): boolean {
    return this.status >= 400;
  }

  read(sink: UpstreamSink): void {
    sink.data(Buffer.concat(this.#body));
    sink.end();
  }

  pause(): void {}

  resume(): void {}

  abort(): void {}

  #watching(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (controller, status, headers, text) => {
        this.status = status;
        this.headers = headers;
        this.#body = [];
        this.#length = 0;
        handler.onResponseStart?.(controller, status, headers, text);
      },
      onResponseData: (controller, chunk) => {
        if (this.#length < maxErrorLength) this.#body.push(chunk);
        this.#length += chunk.length;
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (controller, error) => {
        if (error instanceof UpstreamConnectionError) this.failure = error;
        handler.onResponseError?.(controller, error);
      },
    };
  }
}
