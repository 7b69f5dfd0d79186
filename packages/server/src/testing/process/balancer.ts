import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const checkEveryMs = 500;

interface Target {
  readonly url: string;
  isReady: boolean;
}

/**
 * Minimal load balancer: polls each node's readiness, distributes requests round-robin to ready nodes and reuses
 * connections. It never retries: a rejected or broken request is lost.
 */
export class LoadBalancer {
  readonly #targets: readonly Target[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, response) => void this.#pass(incoming, response));
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  private constructor(urls: readonly string[]) {
    this.#targets = urls.map((url) => ({ url, isReady: false }));
    this.#timer = setInterval(() => void this.look(), checkEveryMs);
  }

  static async start(urls: readonly string[]): Promise<LoadBalancer> {
    const balancer = new LoadBalancer(urls);
    await balancer.look();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nodes that currently receive requests. */
  get ready(): readonly string[] {
    return this.#targets.flatMap(({ url, isReady }) => (isReady ? url : []));
  }

  async look(): Promise<void> {
    const pending = this.#targets.map(async (target) => {
      const response = await fetch(`${target.url}/readyz`).catch(() => undefined);
      target.isReady = response?.status === 200;
      await response?.text();
    });
    await Promise.all(pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await Array.fromAsync(incoming as AsyncIterable<Buffer>);
    const { method, url = '/', headers } = incoming;
    this.#turn += 1;
    const target = this.ready[this.#turn % this.ready.length];
    const passed = request(`${target}${url}`, { method, headers, agent: this.#agent }).end(Buffer.concat(body));
    try {
      const [response] = (await once(passed, 'response')) as [IncomingMessage];
      reply.writeHead(response.statusCode ?? 0, { 'content-type': response.headers['content-type'] ?? '' });
      response.on('error', () => reply.destroy());
      response.pipe(reply);
    } catch (error) {
      reply.writeHead(502).end(`${target}: ${error}`);
    }
  }
}
