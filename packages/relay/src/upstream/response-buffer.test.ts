import { expect, test } from 'vitest';
import { UsageSearch } from '../framing/usage-search.ts';
import { endpointKinds, responseScanOf } from '../request/endpoint-kinds.ts';
import { bufferResponse, bufferWholeResponse, ResponseBuffers } from './response-buffer.ts';
import type { UpstreamResponse, UpstreamSink } from './upstream-exchange.ts';

/** A response in chunks that are sent only while the reader is not paused. */
function responseIn(pieces: readonly Buffer[]) {
  let sink: UpstreamSink | undefined;
  let isPaused = false;
  let isAborted = false;
  const left = [...pieces];
  const flow = () => {
    while (!isPaused && left.length > 0) sink?.data(left.shift() ?? Buffer.alloc(0));
    if (!isPaused) sink?.end();
  };
  const response: UpstreamResponse = {
    status: 200,
    headers: {},
    read(reader) {
      sink = reader;
      flow();
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      flow();
    },
    abort() {
      isAborted = true;
    },
  };
  return { response, isAborted: () => isAborted };
}

const piece = Buffer.alloc(40 * 1024, 'x');
const pieces = (count: number) => Array<Buffer>(count).fill(piece);

test('[A25.5] buffers a response up to its limit and pauses the rest', async () => {
  const share = new ResponseBuffers().share();
  const { response } = responseIn(pieces(10));
  const begun = await bufferResponse(response, 3 * piece.length, share);
  expect(begun).toMatchObject({ isWhole: false, body: { length: 4 * piece.length } });
  expect(await bufferWholeResponse(response, share, begun.body)).toHaveLength(10 * piece.length);
});

test('[A25.5] limits the total size of all buffered responses, but always leaves each response enough to detect an error', async () => {
  const gathering = new ResponseBuffers(2 * piece.length);
  const share = gathering.share();
  const first = await bufferResponse(responseIn(pieces(3)).response, 1e9, share);
  expect(first).toMatchObject({ isWhole: true });
  const second = await bufferResponse(responseIn(pieces(10)).response, 1e9, gathering.share());
  expect(second).toMatchObject({ isWhole: false, body: { length: 2 * piece.length } });
  const rejected = responseIn(pieces(10));
  await expect(bufferWholeResponse(rejected.response, gathering.share())).rejects.toMatchObject({
    status: 503,
    retryAfter: 1,
  });
  expect(rejected.isAborted()).toBe(true);
  share[Symbol.dispose]();
  expect(await bufferResponse(responseIn(pieces(3)).response, 1e9, gathering.share())).toMatchObject({ isWhole: true });
});

test('[A25.5] finds usage regardless of where a response is split', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 1 } };
  const text = Buffer.from(`{"note":"a \\"usage\\": {}","usage":null,"usage": ${JSON.stringify(usage)}}`);
  for (let cut = 0; cut <= text.length; cut += 1) {
    const { fields, readUsage } = responseScanOf(endpointKinds.chat);
    const search = new UsageSearch(fields.usage.name, readUsage);
    search.push(text.subarray(0, cut));
    search.push(text.subarray(cut));
    expect(search.usage).toEqual({ promptTokens: 3, completionTokens: 4, cachedTokens: 1 });
  }
});
