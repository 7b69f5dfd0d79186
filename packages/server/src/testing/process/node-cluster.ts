import { setTimeout as sleep } from 'node:timers/promises';
import { channelApi, defaultRoot, ledgerApi, optionApi, sessionApi, tokenApi } from '@headgate/contract';
import {
  ApiClient,
  completion,
  done,
  plainPrice,
  roleChunk,
  StubUpstream,
  stop,
  stream,
  textChunk,
  usageEvent,
} from '@headgate/testkit';
import { expect } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { openDatabase } from '../../platform/db/database.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { Countdown } from './countdown.ts';
import { addressOf, type Program, runFile, startServer } from './program.ts';
import { retryableErrors } from './two-nodes.ts';

type Stored = Pick<TestDatabase, 'location' | 'environment'>;

interface CrowdNode {
  readonly program: Program;
  /** URL of the node; after it is killed, URL of its replacement. */
  url: Promise<string>;
  readonly next: PromiseWithResolvers<string>;
}

/** Pause of a client between two requests; without one, the clients use more CPU time than the test needs. */
const pauseMs = 20;

/** Response timeout of the clients. */
const responseTimeoutMs = 60_000;

/** Several node processes on one database, and clients that record their responses. */
export class NodeCluster {
  readonly #stored: Stored;
  readonly #upstream: StubUpstream;
  readonly #nodes: CrowdNode[] = [];
  #key = '';
  #isOver = false;
  #rest = Promise.withResolvers<void>();
  #load: Promise<void>[] = [];
  /** Request ids of completed responses. */
  readonly seen: string[] = [];
  /** Counts by result: status and error code, or `broken` for a broken connection. */
  readonly results = new Map<string, number>();
  readonly #responded = new Countdown();

  private constructor(stored: Stored, upstream: StubUpstream) {
    this.#stored = stored;
    this.#upstream = upstream;
  }

  static async start(stored: Stored, count: number, environment: Readonly<Record<string, string>> = {}) {
    const streamed = stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);
    const upstream = await StubUpstream.start((response, request) =>
      request.body['stream'] === true ? streamed(response, request) : completion()(response, request),
    );
    const crowd = new NodeCluster({ ...stored, environment: { ...stored.environment, ...environment } }, upstream);
    for (let index = 0; index < count; index += 1) {
      const node = crowd.#startNode();
      crowd.#nodes.push(node);
      // The first node migrates the schema.
      await node.url;
    }
    await crowd.#furnish();
    return crowd;
  }

  get urls(): Promise<string[]> {
    return Promise.all(this.#nodes.map(({ url }) => url));
  }

  /** Starts clients of every node that send requests with short pauses, half of them for streams. */
  load(clients: number): void {
    this.goOn();
    this.#load = Array.from({ length: clients }, async (_, client) => {
      for (let turn = 0; !this.#isOver; turn += 1) {
        await this.#rest.promise;
        const node = this.#nodes[client % this.#nodes.length];
        if (node) await this.#send(await node.url, (client + turn) % 2 === 0);
        await sleep(pauseMs);
      }
    });
  }

  async endLoad(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#load);
  }

  /** Resolves after this many more responses. On timeout, fails with the results so far. */
  async respondedAfter(count: number): Promise<void> {
    const giveUp = new AbortController();
    const tooLong = sleep(2 * responseTimeoutMs, undefined, { signal: giveUp.signal }).then(() => {
      throw new Error(`There were not ${count} more replies: ${JSON.stringify([...this.results])}`);
    });
    try {
      await Promise.race([this.#responded.after(count), tooLong]);
    } finally {
      giveUp.abort();
      tooLong.catch(() => undefined);
    }
  }

  /** Results that are neither success nor a retryable error. */
  get otherMessages(): readonly string[] {
    return [...this.results.keys()].filter((result) => result !== '200' && !retryableErrors.has(result));
  }

  /** Pauses the clients. */
  rest(): void {
    this.#rest = Promise.withResolvers();
  }

  goOn(): void {
    this.#rest.resolve();
  }

  /** Kills a node with SIGKILL. */
  async kill(index: number): Promise<void> {
    const node = this.#nodes[index];
    if (!node) return;
    node.url = node.next.promise;
    node.program.process.kill('SIGKILL');
    await node.program.exit;
  }

  /** Replaces a killed node. */
  async startAnother(index: number): Promise<void> {
    const killed = this.#nodes[index];
    const node = this.#startNode();
    this.#nodes[index] = node;
    killed?.next.resolve(await node.url);
  }

  /** Status of a node's response, with its code if there is one. */
  async ask(index: number): Promise<string> {
    return this.#send((await this.#nodes[index]?.url) ?? '', false);
  }

  /** Sends requests until the node serves them; loading a channel or reconnecting may take a short time. */
  async untilServed(index: number): Promise<void> {
    const end = performance.now() + responseTimeoutMs;
    while ((await this.ask(index)) !== '200') {
      if (performance.now() > end)
        throw new Error(`Node ${index} does not serve: ${JSON.stringify([...this.results])}`);
      await sleep(200);
    }
  }

  /** Expects every received response to be logged once and charged once, and the charges to match all totals. */
  async expectExactLedger(): Promise<void> {
    const database = await openDatabase(this.#stored.location);
    await using stack = new AsyncDisposableStack();
    stack.defer(() => database.destroy());
    const logs = await database
      .selectFrom('logs')
      .select(['request_id', 'type', 'quota'])
      .where('type', '=', 2)
      .execute();
    const times = new Map<string, number>();
    for (const { request_id } of logs) times.set(request_id, (times.get(request_id) ?? 0) + 1);
    expect(this.seen.filter((id) => times.get(id) !== 1)).toEqual([]);
    expect([new Set(this.seen).size, times.size]).toEqual([this.seen.length, logs.length]);
    expect(logs.filter(({ quota }) => quota !== plainPrice)).toEqual([]);
    const charged = logs.length * plainPrice;
    const [user, token, channel] = await Promise.all(
      (['users', 'tokens', 'channels'] as const).map((table) =>
        database.selectFrom(currentTable(database, table)).selectAll().executeTakeFirstOrThrow(),
      ),
    );
    expect([user, token, channel]).toMatchObject([
      { used_quota: charged },
      { used_quota: charged },
      { used_quota: charged },
    ]);
    const [url = ''] = await this.urls;
    const balanced = { users: 1, drift: 0, log_drift: 0, budget_drift: 0, offenders: [], set_aside: 0 };
    expect(await (await signedInRoot(url)).call(ledgerApi.check)).toEqual(balanced);
    const audit = await runFile('audit.ts', [], { environment: this.#stored.environment }).exit;
    expect(audit).toMatchObject({ code: 0, stdout: 'ledger balanced: 1 users\n' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const { program } of this.#nodes) await program[Symbol.asyncDispose]();
    await this.#upstream.close();
  }

  #startNode(): CrowdNode {
    const { environment, location } = this.#stored;
    const program = startServer({ ...environment, LOG_LEVEL: 'silent' }, location.dataDir);
    return { program, url: addressOf(program), next: Promise.withResolvers() };
  }

  async #furnish(): Promise<void> {
    const [url = ''] = await this.urls;
    const root = await signedInRoot(url);
    const channel = {
      name: 'stub',
      type: 8,
      key: 'upstream-key-123456',
      base_url: this.#upstream.url,
      models: 'gpt-4o',
    };
    await root.call(channelApi.create, { body: channel });
    await root.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"gpt-4o":2.5}' } });
    const { key } = await root.call(tokenApi.create, { body: { name: 'load', unlimited_quota: true } });
    this.#key = key;
    for (const [index] of this.#nodes.entries()) await this.untilServed(index);
  }

  async #send(url: string, isStream: boolean): Promise<string> {
    const result = await this.#post(url, isStream).catch(() => 'broken');
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
    if (result === '200') this.#responded.count();
    return result;
  }

  async #post(url: string, isStream: boolean): Promise<string> {
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o',
        max_tokens: 50,
        stream: isStream,
        messages: [{ role: 'user', content: 'hi' }],
      }),
      signal,
    });
    const text = await response.text().catch((error: unknown) => {
      if (signal.aborted) return 'without an end';
      throw error;
    });
    if (response.status !== 200) return `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? text}`;
    const isWhole = isStream ? text.endsWith('data: [DONE]\n\n') : text.includes('"choices"');
    if (!isWhole) return `200 ${text.slice(-100)}`;
    this.seen.push(response.headers.get('x-request-id') ?? '');
    return '200';
  }
}

async function signedInRoot(url: string): Promise<ApiClient> {
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  return root;
}
