import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { UpstreamHandler } from '@headgate/testkit';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import type { TestApp } from '../test-app.ts';
import { relayFixture } from './relay-fixture.ts';

interface Options {
  /** Models of the channel. */
  readonly models?: string;
  readonly quota?: number;
}

export type ClientFixture = Awaited<ReturnType<ReturnType<typeof clientFixtures>['open']>>;

// `ai` logs warnings about unsupported features, which some tests use on purpose.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Fixtures with real clients, configured with only the address and the key. */
export function clientFixtures(app: TestApp) {
  const scenes: Awaited<ReturnType<typeof relayFixture>>[] = [];
  const open = async (respond: UpstreamHandler, { models = 'gpt-4o', quota = 1_000_000 }: Options = {}) => {
    const scene = await relayFixture(app, { upstreams: [respond], channel: { models }, quota });
    scenes.push(scene);
    return { ...scene, ...clientsFor(app, `sk-${scene.token.key}`), seen: () => scene.upstreams[0]?.received ?? [] };
  };
  return { open, close: () => Promise.all(scenes.map((scene) => scene.close())) };
}

export function clientsFor(app: TestApp, apiKey: string) {
  const baseURL = `${app.url}/v1`;
  return {
    openai: new OpenAI({ baseURL, apiKey, maxRetries: 0 }),
    ai: createOpenAICompatible({ name: 'headgate', baseURL, apiKey, includeUsage: true }),
    /** Options that every class of the package accepts. */
    langchain: { apiKey, maxRetries: 0, configuration: { baseURL } },
    langchainChat: (more: object = {}) =>
      new ChatOpenAI({ model: 'gpt-4o', apiKey, maxRetries: 0, configuration: { baseURL }, ...more }),
  };
}

/** Fails the first request with this status and serves the others. */
export function failingOnce(status: number, respond: UpstreamHandler): UpstreamHandler {
  let requested = 0;
  return (response, request) => {
    requested += 1;
    if (requested > 1) return respond(response, request);
    // 0, so that clients that honor it do not slow down the test.
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end('{"error":{"message":"later"}}');
    return undefined;
  };
}
