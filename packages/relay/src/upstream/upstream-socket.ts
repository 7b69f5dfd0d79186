import { Agent, type Dispatcher, WebSocket } from 'undici';
import { isForbiddenHost } from '../guards/forbidden-address.ts';
import type { DisconnectSignal } from '../ports/client-sink.ts';
import {
  forbiddenMessage,
  UpstreamConnectionError,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamSink,
} from './upstream-exchange.ts';

const maxErrorLength = 64 * 1024;

/** The HTTP response of an upstream that rejects a WebSocket, which the WebSocket API does not expose. */
class WebSocketHandshake implements UpstreamResponse {
  #body: Buffer[] = [];
  #length = 0;
  status = 0;
  /** Error of the outbound proxy or the address check; undefined if there is no error or a different one. */
  failure: UpstreamConnectionError | undefined;
  headers: UpstreamResponse['headers'] = {};

  /** Dispatcher that opens the socket. */
  readonly dispatcher: Dispatcher;

  constructor(agent: Dispatcher) {
    this.dispatcher = agent.compose((dispatch) => (options, handler) => dispatch(options, this.#watching(handler)));
  }

  get isRejected(): boolean {
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

const timeoutMs = 10_000;
/** Maximum unread bytes. A WebSocket has no backpressure, so a client with more unread data is disconnected. */
const maxUnread = 16 * 1024 * 1024;
/** Overhead per message, so that empty messages also count. */
const envelope = 128;
/** Messages are consumed from the front; the array is compacted only after this many. */
const stepsBeforeMoving = 1024;

/** Agent that opens WebSockets; shared by all of them. */
export const socketAgent = (connect: NonNullable<Agent.Options['connect']>): Dispatcher =>
  new Agent({ allowH2: false, connect });

interface ServiceOptions {
  readonly agent: Dispatcher;
  readonly signal: DisconnectSignal;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** Opens a WebSocket, sends the request body, and delivers each message as a response chunk. */
export function openSocket(request: UpstreamRequest, format: ServiceOptions): Promise<UpstreamResponse> {
  const { agent, signal } = format;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new UpstreamConnectionError('client disconnected'));
      return;
    }
    if (isForbiddenHost(new URL(request.url).hostname)) throw new UpstreamConnectionError(forbiddenMessage);
    const handshake = new WebSocketHandshake(agent);
    const socket = new WebSocket(request.url, { headers: request.headers, dispatcher: handshake.dispatcher });
    const response = new SocketResponse(socket, format);
    const late = setTimeout(() => socket.close(), timeoutMs);
    signal.addEventListener('abort', () => response.abort());
    socket.addEventListener('open', () => {
      clearTimeout(late);
      socket.send(request.body === undefined ? '' : String(request.body));
      resolve(response);
    });
    const fail = () => {
      clearTimeout(late);
      if (handshake.isRejected) resolve(handshake);
      else if (signal.aborted) reject(new UpstreamConnectionError('client disconnected'));
      else reject(handshake.failure ?? new UpstreamConnectionError('the WebSocket was rejected'));
    };
    socket.addEventListener('error', fail);
    socket.addEventListener('close', fail);
  });
}

class SocketResponse implements UpstreamResponse {
  readonly #socket: WebSocket;
  readonly #idleMs: number;
  #sink: UpstreamSink | undefined;
  #waiting: Buffer[] = [];
  #taken = 0;
  #waitingBytes = 0;
  #isOver = false;
  #isPaused = true;
  #hasBegun = false;
  #silence: NodeJS.Timeout;
  readonly status = 200;
  readonly headers = {};

  constructor(socket: WebSocket, { firstByteMs, idleMs }: Pick<ServiceOptions, 'firstByteMs' | 'idleMs'>) {
    this.#socket = socket;
    this.#idleMs = idleMs;
    this.#silence = setTimeout(() => this.#endWith('no response in time'), firstByteMs);
    socket.addEventListener('message', ({ data }) => this.#receive(Buffer.from(String(data))));
    socket.addEventListener('close', () => {
      clearTimeout(this.#silence);
      this.#isOver = true;
      this.#flush();
    });
  }

  read(sink: UpstreamSink): void {
    this.#sink = sink;
    this.resume();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isOver) this.#silence.refresh();
    this.#flush();
  }

  abort(): void {
    this.#endWith('client disconnected');
  }

  #receive(message: Buffer): void {
    if (!this.#hasBegun) this.#begin();
    this.#silence.refresh();
    this.#waiting.push(message);
    this.#waitingBytes += message.length + envelope;
    this.#flush();
    if (this.#waitingBytes > maxUnread) this.#endWith('the client reads too slowly');
  }

  #begin(): void {
    this.#hasBegun = true;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      // A paused response does not count as silent.
      if (this.#isPaused) this.#silence.refresh();
      else this.#endWith('idle timeout');
    }, this.#idleMs);
  }

  #endWith(why: string): void {
    clearTimeout(this.#silence);
    const sink = this.#sink;
    this.#sink = undefined;
    this.#socket.close();
    sink?.fail(new UpstreamConnectionError(why, true));
  }

  #next(): Buffer | undefined {
    const next = this.#waiting[this.#taken];
    if (next) this.#taken += 1;
    if (this.#taken === this.#waiting.length || this.#taken === stepsBeforeMoving) {
      this.#waiting.splice(0, this.#taken);
      this.#taken = 0;
    }
    return next;
  }

  #flush(): void {
    while (this.#sink && !this.#isPaused) {
      const next = this.#next();
      if (!next) break;
      this.#waitingBytes -= next.length + envelope;
      this.#sink.data(next);
    }
    if (!this.#isOver || this.#isPaused || !this.#sink) return;
    const sink = this.#sink;
    this.#sink = undefined;
    sink.end();
  }
}
