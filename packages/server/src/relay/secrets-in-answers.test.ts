import { setTimeout as sleep } from 'node:timers/promises';
import { StubUpstream, stream, type UpstreamAnswer } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayScene } from '../testing/relay-scene.ts';
import { useTestApp } from '../testing/test-app.ts';
import { done, piece } from '../testing/upstream-answers.ts';

const app = await useTestApp();
const scenes: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const key = 'aB3-dEf6.hIj9_kLm2nOp5';
const base64 = ['', ':', 'me'].map((before) => Buffer.from(before + key).toString('base64'));
const spellings = [key, ...base64, ...base64.map((text) => Buffer.from(text, 'base64').toString('base64url'))];

function expectNoKey(text: string): void {
  for (const spelling of spellings) expect(text).not.toContain(spelling.slice(4, -4));
}

describe('[A33.4] a key in a stream that is passed on', () => {
  const streamed = async (...parts: readonly string[]) => {
    const scene = await relayScene(app, { upstreams: [stream([...parts])], channel: { key } });
    scenes.push(scene);
    const response = await scene.chat({ stream: true });
    expect(response.status).toBe(200);
    return response.text();
  };

  test.each(spellings)('is masked in comments, names, numbers and data that is no JSON: %s', async (spelling) => {
    const odd = [`: via ${spelling}\n\n`, `event: ${spelling}\n`, `id: ${spelling}\n`, `other${spelling}\n`];
    const text = await streamed(...odd, piece('Hello'), `data: key=${spelling}\n\n`, piece(' you'), done);
    expect(text).toContain('Hello');
    expect(text).toContain(' you');
    expect(text).toMatch(/: via \S{0,4}\*{3}/);
    expectNoKey(text);
  });

  test('is masked in an event of the answer, wherever it stands there', async () => {
    const event = piece('Hello').replace('{', `{"served_with":"${key}",`);
    const text = await streamed(event, piece(`the key is ${key}.`), done);
    expect(text).toContain('the key is **');
    expectNoKey(text);
  });

  test('is masked when it comes in pieces', async () => {
    const line = `: via ${key} and ${base64[0]}\n\n`;
    const text = await streamed(piece('Hello'), ...line, piece(' you'), done);
    expect(text).toMatch(/: via \S{0,4}\*{3}/);
    expect(text).toContain(' you');
    expectNoKey(text);
  });

  test('that is short enough to be a word is left in the text', async () => {
    const scene = await relayScene(app, {
      upstreams: [stream([piece('ollama is'), done])],
      channel: { key: 'ollama' },
    });
    scenes.push(scene);
    expect(await (await scene.chat({ stream: true })).text()).toContain('ollama is');
  });
});

describe('[A33.5] a key in what a proxy channel answers well', () => {
  const proxied = async (answer: UpstreamAnswer) => {
    const upstream = await StubUpstream.start(answer);
    const scene = await relayScene(app, { upstreams: [stream([done])] });
    scenes.push(scene, upstream);
    await createChannel(scene.admin, scene.group, upstream.url, { type: 43, key: `Bearer ${key}`, models: '' });
    const { id } = await app.database
      .selectFrom('channels')
      .select('id')
      .where('type', '=', 43)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const headers = { authorization: `Bearer sk-${scene.token.key}` };
    const response = await fetch(`${app.url}/v1/proxy/${id}/whoami`, { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const inPieces =
    (pieces: readonly (string | Buffer)[], pauseMs = 0): UpstreamAnswer =>
    async (response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      for (const part of pieces) {
        response.write(part);
        await sleep(pauseMs);
      }
      response.end();
    };

  test.each(spellings)('is masked: %s', async (spelling) => {
    const { bytes } = await proxied(inPieces([`<a ${spelling}>${spelling}</a>`]));
    expect(bytes.toString()).toMatch(/^<a \S*\*{3}\S*>\S*\*{3}\S*<\/a>$/);
    expectNoKey(bytes.toString());
  });

  test('is masked when it is cut anywhere', async () => {
    const text = `one ${key} two ${base64[1]} three`;
    const { bytes } = await proxied(inPieces([...text], 1));
    expect(bytes.toString()).toMatch(/^one \*+ two \S*\*+\S* three$/);
    expectNoKey(bytes.toString());
  });

  test('that only begins there, and anything else, arrives byte for byte', async () => {
    const odd = Buffer.from([0xff, 0x00, 0x80, 0xc3, 0x28]);
    const pieces = ['<', key.slice(0, 9), odd, key.slice(0, 15), '>', odd, key.slice(0, 5)];
    const { bytes } = await proxied(inPieces(pieces, 1));
    expect(bytes).toEqual(Buffer.concat(pieces.map((part) => Buffer.from(part as string))));
  });
});
