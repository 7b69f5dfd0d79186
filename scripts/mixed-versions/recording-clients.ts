import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { chatPath, chatRequestBody, streamRequestBody } from '../bench/bench-requests.ts';

const pauseMs = 10;
const bodies = [chatRequestBody('gpt-4o'), streamRequestBody];

/** Clients of several nodes that record the id of every completed response. */
export class RecordingClients {
  readonly #key: string;
  readonly #dispatcher = new Agent({ connect: { timeout: 60_000 } });
  readonly #counts = new Map<string, number>();
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly #left = new Set<string>();
  readonly seen: string[] = [];
  /** Number of results other than a complete response. */
  unexpected = 0;

  constructor(key: string) {
    this.#key = key;
  }

  /** Starts that many clients on a node, half of them streaming. */
  ask(node: string, address: string, clients: number): void {
    const all = Array.from({ length: clients }, (_, client) => this.#goOn(node, address, client));
    this.#pending.set(node, Promise.all(all));
  }

  /** Stops the clients of a node and waits for their last responses. */
  async leave(node: string): Promise<void> {
    this.#left.add(node);
    await this.#pending.get(node);
  }

  tally(): string {
    return [...this.#counts]
      .sort()
      .map(([what, times]) => `${what} × ${times}`)
      .join(', ');
  }

  async #goOn(node: string, address: string, client: number): Promise<void> {
    for (let turn = client; !this.#left.has(node); turn += 1) {
      const result = await this.#once(address, bodies[turn % bodies.length] ?? '').catch(String);
      if (result !== '200') this.unexpected += 1;
      const what = `${node} ${result}`;
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
      await sleep(pauseMs);
    }
  }

  async #once(address: string, body: string): Promise<string> {
    const response = await fetch(new URL(chatPath, address), {
      method: 'POST',
      dispatcher: this.#dispatcher,
      headers: { authorization: `Bearer sk-${this.#key}`, 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    if (response.status !== 200) return `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`;
    this.seen.push(response.headers.get('x-request-id') ?? '');
    return '200';
  }
}
