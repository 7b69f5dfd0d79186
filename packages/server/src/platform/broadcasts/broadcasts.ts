type Hear = (text: string, from: string) => void;

/** What nodes tell each other without anybody waiting for it: what is lost is lost. */
export interface Broadcasts {
  /** Whether there is anybody who hears it. */
  readonly isHeard: boolean;
  say(topic: string, text: string): void;
  /** `hearOwn` hears what this node said itself, in its place between what the others said; absent: nobody need hear that. */
  on(topic: string, hear: Hear, hearOwn?: (text: string) => void): void;
}

/** Where there is nobody else. */
export const noBroadcasts: Broadcasts = { isHeard: false, say: () => undefined, on: () => undefined };

/** Broadcasts between nodes: a payload is the id of its node, a topic without spaces, and a text. */
export class NodeBroadcasts implements Broadcasts {
  readonly #id: string;
  readonly #send: (payload: string) => void;
  readonly #listeners = new Map<string, Hear>();
  readonly #own = new Map<string, (text: string) => void>();
  /** Until somebody has looked, there may be others. */
  isHeard = true;

  constructor(id: string, send: (payload: string) => void) {
    this.#id = id;
    this.#send = send;
  }

  say(topic: string, text: string): void {
    this.#send(`${this.#id} ${topic} ${text}`);
  }

  on(topic: string, hear: Hear, hearOwn?: (text: string) => void): void {
    this.#listeners.set(topic, hear);
    if (hearOwn) this.#own.set(topic, hearOwn);
  }

  hear(payload: string): void {
    const [from = '', topic = ''] = payload.split(' ', 2);
    const text = payload.slice(from.length + topic.length + 2);
    if (from === this.#id) {
      this.#own.get(topic)?.(text);
      return;
    }
    this.isHeard = true;
    this.#listeners.get(topic)?.(text, from);
  }
}
