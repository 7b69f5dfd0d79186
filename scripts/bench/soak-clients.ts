import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { chatPath, chatRequestBody, streamRequestBody } from './bench-requests.ts';

const clientsOfNode = 6;
const pauseMs = 20;

type Kind = 'JSON' | 'stream' | 'hang-up' | 'failing upstream';
const kinds: readonly Kind[] = ['JSON', 'stream', 'JSON', 'hang-up', 'stream', 'failing upstream'];

const bodies: Readonly<Record<Kind, string>> = {
  JSON: chatRequestBody('gpt-4o'),
  stream: streamRequestBody,
  'hang-up': streamRequestBody,
  'failing upstream': chatRequestBody('failing'),
};

/**
 * Several clients per node that send varied requests. When a node is replaced, its clients continue on the new node.
 */
export class SoakClients {
  readonly #addresses: () => readonly string[];
  readonly #key: string;
  readonly #dispatcher = new Agent({ connect: { timeout: 60_000 } });
  readonly #counts = new Map<string, number>();
  #running: Promise<void>[] = [];
  #isOver = false;
  /** Unexpected results of requests to nodes that were not restarted. */
  unexpected = 0;

  constructor(addresses: () => readonly string[], key: string) {
    this.#addresses = addresses;
    this.#key = key;
  }

  start(): void {
    this.#running = this.#addresses().flatMap((_, position) =>
      Array.from({ length: clientsOfNode }, (__, index) => this.#send(position, index)),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    await this.#dispatcher.destroy();
  }

  tally(): string {
    return [...this.#counts]
      .sort()
      .map(([what, times]) => `${what} × ${times}`)
      .join(', ');
  }

  async #send(position: number, index: number): Promise<void> {
    for (let turn = index; !this.#isOver; turn += 1) {
      const kind = kinds[turn % kinds.length] ?? 'JSON';
      const address = this.#addresses()[position] ?? '';
      const outcome = await this.#outcome(address, kind).catch(() => 'broken off');
      this.#count(`${kind} ${outcome}`);
      const isExpected = outcome === (kind === 'failing upstream' ? 'refused' : kind === 'hang-up' ? 'left' : 'whole');
      // The first node is never restarted.
      if (!isExpected && position === 0) this.unexpected += 1;
      await sleep(pauseMs);
    }
  }

  async #outcome(address: string, kind: Kind): Promise<string> {
    const hangUp = new AbortController();
    const response = await fetch(new URL(chatPath, address), {
      method: 'POST',
      dispatcher: this.#dispatcher,
      headers: { authorization: `Bearer sk-${this.#key}`, 'content-type': 'application/json' },
      body: bodies[kind],
      signal: hangUp.signal,
    });
    if (response.status !== 200) {
      const code = /"code":"(\w+)"/.exec(await response.text())?.[1] ?? '';
      return kind === 'failing upstream' ? 'refused' : `refused ${response.status} ${code}`;
    }
    if (kind !== 'hang-up') return (await response.text()).length > 0 ? 'whole' : 'empty';
    await response.body?.getReader().read();
    hangUp.abort();
    return 'left';
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
