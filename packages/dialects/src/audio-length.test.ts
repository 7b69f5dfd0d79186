import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { audioSeconds } from './audio-length.ts';

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function wav(seconds: number, claimed = seconds): Buffer {
  const rate = 16_000;
  const file = Buffer.alloc(44 + seconds * rate * 2);
  file.write('RIFF', 0);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(claimed * rate * 2, 40);
  return file;
}

/** A WAV file whose header claims this many bytes per sample. */
function wideWav(seconds: number, bytesPerSample: number): Buffer {
  const file = wav(seconds);
  file.writeUInt16LE(bytesPerSample, 32);
  return file;
}

/** A WAV file of compressed audio whose header claims this many bytes per second. */
function compressedWav(seconds: number, bytesPerSecond: number): Buffer {
  const file = wav(seconds);
  file.writeUInt16LE(0x55, 20);
  file.writeUInt32LE(bytesPerSecond, 28);
  return file;
}

/** Pseudo-random bytes that are the same in every run. */
const noise = (size: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(size / 32) }, (_, index) => createHash('sha256').update(`${index}`).digest()),
  );
const webm = (size: number) => Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), noise(size)]);

/** 128 kbit/s at 44.1 kHz: 417 bytes per frame. */
function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** 16 kHz, 128 bytes per frame. */
function aac(frames: number): Buffer {
  const frame = Buffer.alloc(128);
  frame.set([0xff, 0xf1, 8 << 2, 0, 128 >> 3, (128 & 7) << 5, 0]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

function id3(bytes: number): Buffer {
  const tag = Buffer.alloc(10 + bytes, 0xff);
  tag.write('ID3', 0);
  tag.set([3, 0, 0, 0, 0, bytes >> 7, bytes & 127], 3);
  return tag;
}

function flac(seconds: number, size: number): Buffer {
  const file = Buffer.alloc(size);
  file.write('fLaC', 0);
  // 16 kHz, one channel, 16 bits.
  file.writeUIntBE((16_000 << 4) | (0 << 1), 18, 3);
  file.writeUInt8(15 << 4, 21);
  file.writeUInt32BE(seconds * 16_000, 22);
  return file;
}

function oggPage(position: number, isFirst: boolean, data: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write('OggS', 0);
  head.writeUInt8(isFirst ? 2 : 0, 5);
  head.writeBigInt64LE(BigInt(position), 6);
  head.writeUInt8(1, 26);
  head.writeUInt8(data.length, 27);
  return Buffer.concat([head, data]);
}

const opus = (...seconds: readonly number[]) =>
  Buffer.concat(
    seconds.flatMap((length) => [
      oggPage(0, true, Buffer.from('OpusHead')),
      oggPage(length * 48_000, false, Buffer.alloc(20)),
    ]),
  );

const fullPages = (count: number) => Array.from({ length: count }, () => oggPage(4800, false, Buffer.alloc(255)));

function m4a(seconds: number, size: number, before = Buffer.alloc(0)): Buffer {
  const header = Buffer.concat([u32(108), Buffer.from('mvhd'), Buffer.alloc(12), u32(1000), u32(seconds * 1000)]);
  const movie = Buffer.concat([header, Buffer.alloc(108 - header.length)]);
  const brand = Buffer.concat([u32(16), Buffer.from('ftypM4A '), u32(0)]);
  const head = Buffer.concat([u32(movie.length + 8), Buffer.from('moov')]);
  return Buffer.concat([brand, before, head, movie, u32(size + 8), Buffer.from('mdat'), Buffer.alloc(size)]);
}

it.each([
  ['a WAV file', wav(3), 3],
  ['a WAV file whose header claims one second', wav(60, 1), 60],
  ['a WAV file whose samples claim to be larger than they are', wideWav(60, 65_535), 60],
  ['a compressed WAV file that claims a rate of gigabytes', compressedWav(60, 4e9), 60],
  ['an MP3 file', mp3(100), (100 * 1152) / 44_100],
  ['an MP3 file with a tag before it', Buffer.concat([id3(300), mp3(100)]), (100 * 1152) / 44_100],
  ['an AAC file', aac(50), (50 * 1024) / 16_000],
  ['a FLAC file', flac(12, 1000), 12],
  ['a FLAC file that claims to be shorter than uncompressed audio', flac(1, 320_000), 10],
  ['an Ogg Opus file', opus(7), 7],
  ['an Ogg file with two streams', opus(7, 5), 12],
  ['an Ogg file with a tag before it', Buffer.concat([id3(300), opus(7)]), 7],
  ['an M4A file', m4a(30, 1000), 30],
  ['an M4A file that claims a second for 6.4 MB', m4a(1, 6_400_000), 200],
  ['an Ogg file that claims a tenth of a second for 71 kB', Buffer.concat([opus(0.1), ...fullPages(251)]), 2],
])('[A68.4] measures the length of %s', (_, file, seconds) => {
  expect(audioSeconds(file)).toBeCloseTo(seconds, 0);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(10_000)],
  ['text', Buffer.from('hello '.repeat(1000))],
  ['a WebM file', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(5000)])],
  ['a WebM file that seems to contain frames', webm(200_000)],
  ['a WebM file that starts with frames', Buffer.concat([webm(0), mp3(100), noise(10_000)])],
  ['a single MP3 frame before other data', Buffer.concat([mp3(1), Buffer.alloc(100_000, 0x41)])],
  ['noise', noise(200_000)],
  ['a tag that claims to be longer than the file', id3(300).subarray(0, 200)],
  ['a WAV file with a rate of zero', Buffer.concat([wav(1).subarray(0, 24), Buffer.alloc(20)])],
  ['an M4A file with a truncated box', m4a(30, 1000, u32(4))],
  ['other data before the first frame', Buffer.concat([Buffer.alloc(5000, 0xff), Buffer.alloc(10), mp3(100)])],
  ['an M4A file without a movie', m4a(1, 10).subarray(0, 16)],
])('[A68.4] does not measure the length of %s', (_, file) => {
  expect(audioSeconds(file)).toBeUndefined();
});

it('[A68.12] reads a limited number of frames, pages and chunks and extrapolates the rest', () => {
  const frame = Buffer.from([0xff, 0xf1, 8 << 2, 0, 0, 7 << 5, 0]);
  const frames = Buffer.concat(Array.from({ length: 200_000 }, () => frame));
  expect(audioSeconds(Buffer.concat([frames, Buffer.alloc(frames.length, 0xff)]))).toBeCloseTo(400_000 * 0.064, 0);
  const page = oggPage(0, false, Buffer.alloc(0));
  const pages = Buffer.concat([opus(1000), ...Array.from({ length: 200_000 }, () => page)]);
  expect(audioSeconds(pages)).toBeCloseTo(2000, -1);
  const boxes = Array.from({ length: 2000 }, () => Buffer.concat([u32(8), Buffer.from('free')]));
  expect(audioSeconds(m4a(30, 1000, Buffer.concat(boxes)))).toBeUndefined();
  const audio = wav(1);
  const chunks = Buffer.concat(Array.from({ length: 2000 }, () => Buffer.from('LIST\0\0\0\0', 'latin1')));
  expect(audioSeconds(Buffer.concat([audio.subarray(0, 36), chunks, audio.subarray(36)]))).toBeUndefined();
});

it('terminates for every truncated file and for any changed byte', () => {
  for (const file of [wav(1).subarray(0, 200), mp3(2), aac(3), flac(1, 60), opus(1), m4a(1, 20)]) {
    for (let at = 0; at < file.length; at += 1) {
      audioSeconds(file.subarray(0, at));
      const changed = Buffer.from(file);
      changed[at] = 0xff;
      const seconds = audioSeconds(changed) ?? 0;
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(seconds).toBeLessThanOrEqual(86_400);
    }
  }
});
