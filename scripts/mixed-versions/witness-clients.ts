import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { chat, question, streamQuestion } from '../bench/questions.ts';

const pauseMs = 10;
const bodies = [question('gpt-4o'), streamQuestion];

/** Clients of several nodes who remember the number of every reply that came to its end. */
export class WitnessClients {
  readonly #key: string;
  readonly #dispatcher = new Agent({ connect: { timeout: 60_000 } });
  readonly #counts = new Map<string, number>();
  readonly #asking = new Map<string, Promise<unknown>>();
  readonly #left = new Set<string>();
  readonly seen: string[] = [];
  /** Whatever was no whole reply. */
  unexpected = 0;

  constructor(key: string) {
    this.#key = key;
  }

  /** So many begin to ask a node, half of them for streams. */
  ask(node: string, address: string, clients: number): void {
    const all = Array.from({ length: clients }, (_, client) => this.#goOn(node, address, client));
    this.#asking.set(node, Promise.all(all));
  }

  /** They ask it for nothing more, and have heard the end of what they asked for. */
  async leave(node: string): Promise<void> {
    this.#left.add(node);
    await this.#asking.get(node);
  }

  tally(): string {
    return [...this.#counts]
      .sort()
      .map(([what, times]) => `${what} × ${times}`)
      .join(', ');
  }

  async #goOn(node: string, address: string, client: number): Promise<void> {
    for (let turn = client; !this.#left.has(node); turn += 1) {
      const told = await this.#once(address, bodies[turn % bodies.length] ?? '').catch(String);
      if (told !== '200') this.unexpected += 1;
      const what = `${node} ${told}`;
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
      await sleep(pauseMs);
    }
  }

  async #once(address: string, body: string): Promise<string> {
    const response = await fetch(new URL(chat, address), {
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
