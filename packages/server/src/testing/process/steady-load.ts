import { setTimeout as sleep } from 'node:timers/promises';
import { channelApi, defaultRoot, optionApi, sessionApi, tokenApi } from '@headgate/contract';
import {
  ApiClient,
  completion,
  done,
  type StubUpstream,
  stop,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';

/** Slow responses and streams, so that some requests are always in flight. */
export const slowResponse: UpstreamHandler = async (response, request) => {
  const { stream: isStream } = JSON.parse(request.text) as { stream?: boolean };
  await sleep(50);
  if (!isStream) return completion()(response, request);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let words = 0; words < 20; words += 1) {
    response.write(textChunk(' word'));
    await sleep(25);
  }
  response.end([stop, usageEvent, done].join(''));
};

/** Pause of a client between two requests. */
const pauseMs = 20;

/** Creates a token of the root account and a channel to this upstream. */
export async function createLoadToken(url: string, upstream: StubUpstream): Promise<string> {
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  const channel = { name: 'stub', type: 8, key: 'upstream-key-123456', base_url: upstream.url, models: 'gpt-4o' };
  await root.call(channelApi.create, { body: channel });
  await root.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"gpt-4o":2.5}' } });
  const { key } = await root.call(tokenApi.create, { body: { name: 'x', unlimited_quota: true } });
  return key;
}

/** Undefined on success, otherwise a description of the failure. */
export async function sendLoadRequest(url: string, key: string, isStream: boolean): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o',
        max_tokens: 50,
        stream: isStream,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    });
    const text = await response.text();
    const isWhole = isStream ? text.endsWith('data: [DONE]\n\n') : text.includes('"choices"');
    return response.status === 200 && isWhole ? undefined : `${response.status} ${text.slice(-200)}`;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

/**
 * Starts clients that send one request after another, every other one for streams, until stopped. Returns failures and
 * the number of requests.
 */
export function steadyLoad(url: string, key: string, clientCount: number) {
  const failures: string[] = [];
  let requested = 0;
  let isOver = false;
  const clients = Array.from({ length: clientCount }, async (_, index) => {
    while (!isOver) {
      requested += 1;
      const failure = await sendLoadRequest(url, key, index % 2 === 0);
      if (failure !== undefined) failures.push(failure);
      await sleep(pauseMs);
    }
  });
  return {
    end: async () => {
      isOver = true;
      await Promise.all(clients);
      return { failures, requested };
    },
  };
}
