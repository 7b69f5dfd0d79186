import { WebSocket } from 'undici';
import type { Departure } from './leaving.ts';
import {
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamSink,
} from './upstream-exchange.ts';
import { Handshake } from './upstream-handshake.ts';

const patienceMs = 10_000;

/** Opens a socket, says the request's body, and gives each message as a piece of an answer. */
export function openSocket(request: UpstreamRequest, signal: Departure, idleMs: number): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new UpstreamFailure('the client left'));
      return;
    }
    const handshake = new Handshake();
    const socket = new WebSocket(request.url, { headers: request.headers, dispatcher: handshake.dispatcher });
    const answer = new SocketAnswer(socket, idleMs);
    const late = setTimeout(() => socket.close(), patienceMs);
    signal.addEventListener('abort', () => answer.abort());
    socket.addEventListener('open', () => {
      clearTimeout(late);
      socket.send(request.body === undefined ? '' : String(request.body));
      resolve(answer);
    });
    const fail = () => {
      clearTimeout(late);
      if (handshake.isRefused) resolve(handshake);
      else reject(new UpstreamFailure(signal.aborted ? 'the client left' : 'the socket was refused'));
    };
    socket.addEventListener('error', fail);
    socket.addEventListener('close', fail);
  });
}

class SocketAnswer implements UpstreamResponse {
  readonly #socket: WebSocket;
  #sink: UpstreamSink | undefined;
  #waiting: Buffer[] = [];
  #isOver = false;
  #isPaused = true;
  readonly #idle: NodeJS.Timeout;
  readonly status = 200;
  readonly headers = {};

  constructor(socket: WebSocket, idleMs: number) {
    this.#socket = socket;
    this.#idle = setTimeout(() => this.#endWith('the answer stalled'), idleMs);
    socket.addEventListener('message', ({ data }) => {
      this.#idle.refresh();
      this.#waiting.push(Buffer.from(String(data)));
      this.#flush();
    });
    socket.addEventListener('close', () => {
      clearTimeout(this.#idle);
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
    if (!this.#isOver) this.#idle.refresh();
    this.#flush();
  }

  abort(): void {
    this.#endWith('the client left');
  }

  #endWith(why: string): void {
    clearTimeout(this.#idle);
    const sink = this.#sink;
    this.#sink = undefined;
    this.#socket.close();
    sink?.fail(new UpstreamFailure(why, true));
  }

  #flush(): void {
    while (this.#sink && !this.#isPaused) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#sink.data(next);
    }
    if (!this.#isOver || this.#isPaused || !this.#sink) return;
    const sink = this.#sink;
    this.#sink = undefined;
    sink.end();
  }
}
