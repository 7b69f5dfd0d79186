import { gzipSync } from 'node:zlib';

/** Numbers in [0, 1) that depend only on the seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const methods = ['POST', 'POST', 'POST', 'GET', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'CONNECT', 'FROB', ''];
const paths = [
  ...['/v1/chat/completions', '/v1/completions', '/v1/embeddings', '/v1/engines/gpt-4o/embeddings', '/v1/models'],
  ...['/v1/audio/speech', '/v1/audio/transcriptions', '/v1/images/generations', '/v1/moderations', '/v1/files/x'],
  ...[
    '/v1/proxy/1/x',
    '/v1/engines/%zz/embeddings',
    '//v1//x',
    'http://x/v1/models',
    '*',
    '/',
    '/mcp',
    '/v1beta/models',
  ],
  ...['/api/user/login', '/api/status', '/dashboard/billing/usage', '/healthz', '/assets/x.js', '/v1/messages'],
];
const versions = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP', ''];
const headers = [
  ...[
    'Host: x',
    'Host: ',
    'Connection: close',
    'Connection: keep-alive, Upgrade',
    'Upgrade: websocket',
    'Expect: 100-continue',
  ],
  ...[
    'Expect: x',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Content-Encoding: gzip',
    'TE: trailers',
  ],
  ...[
    'Content-Type: application/json',
    'Content-Type: multipart/form-data; boundary=',
    'Content-Type: \xff',
    'Trailer: x',
  ],
  ...[
    'Cookie: headgate_session=%zz; =;;',
    'X-Forwarded-For: , unknown, ::g',
    'Accept-Language: zh',
    'Accept-Encoding: *;q=0',
  ],
  ...[
    'Origin: null',
    'Range: bytes=9-1',
    'If-None-Match: "',
    'anthropic-version: \x80',
    'x-goog-api-key:',
    '__proto__: x',
  ],
];
const bodies = [
  '{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}',
  '{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"hi"}]}',
  '{"model":"gpt-4o","input":["a","b"],"encoding_format":"base64"}',
  '{"model":"gpt-4o","max_tokens":-1,"n":1e309,"messages":{"__proto__":[]},"stop":[[[[]]]]}',
  '{"model":{"toString":1},"messages":[null,[],"x",{"role":{},"content":[{"type":"image_url","image_url":7}]}]}',
  '--\r\nContent-Disposition: form-data; name="model"\r\n\r\ngpt-4o\r\n----\r\n',
  '',
];

/** Generates raw requests: valid, unusual or noise, some of them damaged or truncated. */
export class RandomRequests {
  readonly #random: () => number;
  readonly #key: string;

  constructor(random: () => number, key: string) {
    this.#random = random;
    this.#key = key;
  }

  next(): Buffer {
    const roll = this.#random();
    if (roll < 0.1) return this.#noise(this.#below(2000));
    const one = this.#request();
    const many = roll < 0.3 ? Buffer.concat([one, this.#request()]) : one;
    const damaged = this.#random() < 0.3 ? this.#damage(many) : many;
    return this.#random() < 0.3 ? damaged.subarray(0, this.#below(damaged.length + 1)) : damaged;
  }

  #request(): Buffer {
    return this.#random() < 0.5 ? this.#honest() : Buffer.concat([this.#head(), this.#body()]);
  }

  /** A valid client request before it is damaged or truncated. */
  #honest(): Buffer {
    const body = this.#one(bodies.slice(0, 3));
    const path = this.#one(paths.slice(0, 3));
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${this.#key}`];
    return Buffer.from(`${[...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
  }

  #head(): Buffer {
    const key = this.#random() < 0.8 ? this.#key : 'sk-nobody';
    const line = [this.#one(methods), this.#one(paths) + (this.#random() < 0.2 ? '?%zz=%' : ''), this.#one(versions)];
    const lines = [line.join(' '), 'Host: x', `Authorization: Bearer ${key}`];
    for (let left = this.#below(5); left > 0; left -= 1) lines.push(this.#one(headers));
    if (this.#random() < 0.7) lines.push(`Content-Length: ${this.#one(['0', '62', '76', '5', '-1', '9999', '1e3'])}`);
    return Buffer.from(`${lines.join(this.#random() < 0.95 ? '\r\n' : '\n')}\r\n\r\n`, 'latin1');
  }

  #body(): Buffer {
    const body = Buffer.from(this.#one(bodies));
    const roll = this.#random();
    if (roll < 0.15) return gzipSync(body);
    if (roll < 0.3) return Buffer.from(`${body.length.toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`);
    return roll < 0.4 ? this.#noise(this.#below(200)) : body;
  }

  #damage(bytes: Buffer): Buffer {
    const damaged = Buffer.from(bytes);
    for (let left = this.#below(8); left > 0 && damaged.length > 0; left -= 1) {
      damaged[this.#below(damaged.length)] = this.#below(256);
    }
    return damaged;
  }

  #noise(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#below(256)));
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #one(list: readonly string[]): string {
    return list[this.#below(list.length)] ?? '';
  }
}
