type Listener = (text: string, from: string) => void;

/** Best-effort messages between nodes; lost messages are not repeated. */
export interface Broadcasts {
  /** True if there are other nodes. */
  readonly hasOthers: boolean;
  send(topic: string, text: string): void;
  /** `hearOwn` also delivers this node's own messages, in order with those of other nodes. */
  on(topic: string, listener: Listener, receiveOwn?: (text: string) => void): void;
}

/** For a single process. */
export const disabledBroadcasts: Broadcasts = { hasOthers: false, send: () => undefined, on: () => undefined };

/** Messages between nodes. A payload consists of the node id, a topic without spaces, and the message. */
export class NodeBroadcasts implements Broadcasts {
  readonly #id: string;
  readonly #send: (payload: string) => void;
  readonly #listeners = new Map<string, Listener>();
  readonly #own = new Map<string, (text: string) => void>();
  /** True until the number of nodes is known. */
  hasOthers = true;

  constructor(id: string, send: (payload: string) => void) {
    this.#id = id;
    this.#send = send;
  }

  send(topic: string, text: string): void {
    this.#send(`${this.#id} ${topic} ${text}`);
  }

  on(topic: string, listener: Listener, receiveOwn?: (text: string) => void): void {
    this.#listeners.set(topic, listener);
    if (receiveOwn) this.#own.set(topic, receiveOwn);
  }

  receive(payload: string): void {
    const [from = '', topic = ''] = payload.split(' ', 2);
    const text = payload.slice(from.length + topic.length + 2);
    if (from === this.#id) {
      this.#own.get(topic)?.(text);
      return;
    }
    this.hasOthers = true;
    this.#listeners.get(topic)?.(text, from);
  }
}
