import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Inflater } from './inflate.ts';

const max = 16 * 1024 * 1024;
const body = gzipSync(randomBytes(1024 * 1024).toString('hex'), { level: 1 });

test('[A24.4] decompresses two bodies in parallel, and a third only after one of them has finished', async () => {
  const inflater = new Inflater();
  const seen: string[] = [];
  const inflate = async (name: string) => {
    await inflater.inflate(body, max, () => seen.push(name));
    seen.push(`${name} ends`);
  };
  await Promise.all(['first', 'second', 'third'].map(inflate));
  const ends = ['first ends', 'second ends'].map((end) => seen.indexOf(end));
  expect(seen.indexOf('third')).toBeGreaterThan(Math.min(...ends));
});

test('[A24.4] a rejected or invalid gzip body frees its slot for the next one', async () => {
  const inflater = new Inflater();
  const reject = () => {
    throw new Error('refused');
  };
  for (let turn = 0; turn < 3; turn += 1) {
    await expect(inflater.inflate(body, max, reject)).rejects.toThrow('refused');
    await expect(inflater.inflate(Buffer.from('no gzip'), max, () => undefined)).rejects.toThrow('not valid gzip');
  }
  expect((await inflater.inflate(body, max, () => undefined)).length).toBe(2 * 1024 * 1024);
});
