import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import { MessageSplitter } from './message-splitter.ts';

/** Where a connection is cut. */
export interface ConnectionCut {
  /** Text that identifies the exchange to cut. */
  readonly sign: string;
  /** Side whose messages are counted: the request or the response. */
  readonly from: 'node' | 'server';
  /** Number of messages that still arrive. */
  readonly after: number;
  /** True if half of the next message arrives too. */
  readonly isHalf: boolean;
}

/** An exchange during which the connection is cut. */
interface Turn {
  readonly cut: ConnectionCut;
  arrived: number;
}

const typeOf = (letter: string): number => letter.charCodeAt(0);

/** Message types that end a client's turn: sync, query, password, terminate. */
const turnEnds: ReadonlySet<number | undefined> = new Set([...'SQpX'].map(typeOf));
const isReady = (message: Buffer): boolean => message[0] === typeOf('Z');

/**
 * Proxy in front of PostgreSQL that parses its messages and cuts a connection between any two of them or within one.
 */
export class ConnectionCutProxy {
  readonly #target: URL;
  readonly #server: Server;
  readonly #connections = new Set<CutConnection>();
  #next: ConnectionCut | undefined;
  #last: Turn | undefined;

  private constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((near) => {
      const far = dial(Number(this.#target.port), this.#target.hostname);
      const connection = new CutConnection(near, far, (turn) => this.#cutFor(turn));
      this.#connections.add(connection);
      near.on('close', () => this.#connections.delete(connection));
    });
  }

  static async start(url: string): Promise<ConnectionCutProxy> {
    const proxy = new ConnectionCutProxy(url);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The database URL through the proxy. */
  get url(): string {
    const proxied = new URL(this.#target);
    proxied.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return proxied.href;
  }

  /** Cuts the next connection on which a matching exchange starts. */
  cutNext(cut: ConnectionCut): void {
    this.#next = cut;
    this.#last = undefined;
  }

  /** Number of messages that arrived before the last cut; undefined if there was none. */
  get arrived(): number | undefined {
    return this.#last?.arrived;
  }

  /** Breaks the connections with this text in their startup message. */
  breakAll(sign: string): void {
    for (const connection of this.#connections) if (connection.introduction.includes(sign)) connection.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    this.#server.close();
  }

  #cutFor(turn: Buffer): Turn | undefined {
    const cut = this.#next;
    if (cut === undefined || !turn.includes(cut.sign)) return undefined;
    this.#next = undefined;
    this.#last = { cut, arrived: 0 };
    return this.#last;
  }
}

class CutConnection {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #cutFor: (turn: Buffer) => Turn | undefined;
  readonly #requested = new MessageSplitter('introduced');
  readonly #responded = new MessageSplitter('typed');
  /** Messages of an exchange in progress. The server responds only after the exchange is complete. */
  #turn: Buffer[] = [];
  #cut: Turn | undefined;
  #isBroken = false;
  introduction = '';

  constructor(near: Socket, far: Socket, cutFor: (turn: Buffer) => Turn | undefined) {
    this.#near = near;
    this.#far = far;
    this.#cutFor = cutFor;
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => this.destroy());
    }
    near.on('data', (bytes: Buffer) => this.#send(bytes));
    far.on('data', (bytes: Buffer) => this.#respond(bytes));
  }

  destroy(): void {
    this.#near.destroy();
    // Bytes already sent still reach the server.
    this.#far.end();
  }

  #send(bytes: Buffer): void {
    for (const message of this.#requested.add(bytes)) {
      const isIntroduction = this.introduction === '';
      if (isIntroduction) this.introduction = message.toString('latin1');
      this.#turn.push(message);
      if (!isIntroduction && !turnEnds.has(message[0])) continue;
      const turn = this.#turn;
      this.#turn = [];
      this.#cut ??= this.#cutFor(Buffer.concat(turn));
      for (const each of turn) this.#pass(each, 'node', this.#far);
      if (this.#cut?.cut.from === 'node') this.#break();
    }
  }

  #respond(bytes: Buffer): void {
    for (const message of this.#responded.add(bytes)) {
      this.#pass(message, 'server', this.#near);
      if (this.#cut?.cut.from === 'server' && isReady(message)) this.#break();
    }
  }

  #pass(message: Buffer, from: ConnectionCut['from'], to: Socket): void {
    if (this.#isBroken) return;
    if (this.#cut?.cut.from !== from) {
      to.write(message);
      return;
    }
    const { after, isHalf } = this.#cut.cut;
    if (this.#cut.arrived < after) {
      this.#cut.arrived += 1;
      to.write(message);
      return;
    }
    if (isHalf) to.write(message.subarray(0, message.length >> 1));
    this.#break();
  }

  #break(): void {
    this.#isBroken = true;
    this.#near.end();
    this.#far.end();
  }
}
