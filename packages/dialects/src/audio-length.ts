import { frameSeconds, id3TagEnd } from './audio-frames.ts';

/**
 * Bytes per second at 256 kbit/s, which speech recordings do not exceed. A header that claims fewer seconds than this
 * implies is ignored.
 */
export const maxAudioRate = 32_000;
const maxSeconds = 24 * 3600;
const wavHeader = 12;
const chunkHeader = 8;
/** Maximum number of parts read, so that a large file does not block other requests. */
const maxParts = 1000;
const maxPages = 100_000;
/** WAV format codes of uncompressed samples. */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 0xfffe]);

type Reader = (file: Buffer) => number | undefined;

/** Readers by magic bytes. */
const readers: readonly [magic: string, at: number, read: Reader][] = [
  ['RIFF', 0, wavSeconds],
  ['fLaC', 0, flacSeconds],
  ['OggS', 0, oggSeconds],
  ['ftyp', 4, mp4Seconds],
  // WebM has no reader, because recordings made by browsers do not state their length.
  ['\x1aE\xdf\xa3', 0, () => undefined],
];

/**
 * Length of an audio file in seconds, measured from its data rather than its header; undefined when that is
 * impossible. At least the length at the highest common bit rate, at most a day.
 */
export function audioSeconds(upload: Buffer): number | undefined {
  // Decoders skip an ID3 tag before any format.
  const file = upload.subarray(id3TagEnd(upload));
  const reader = readers.find(([magic, at]) => file.toString('latin1', at, at + magic.length) === magic);
  const seconds = reader ? reader[2](file) : frameSeconds(file);
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= 0) return undefined;
  return Math.min(seconds, maxSeconds);
}

const atLeast = (seconds: number, file: Buffer, rate: number): number => Math.max(seconds, file.length / rate);

function wavSeconds(file: Buffer): number | undefined {
  let rate = 0;
  for (let at = wavHeader, part = 0; at + chunkHeader <= file.length && part < maxParts; part += 1) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const data = at + chunkHeader;
    if (id === 'data') return rate > 0 ? (file.length - data) / rate : undefined;
    if (id === 'fmt ' && data + 16 <= file.length) rate = wavRate(file, data);
    at = data + size + (size % 2);
  }
  return undefined;
}

/** Bytes per second. */
function wavRate(file: Buffer, format: number): number {
  if (plainFormats.has(file.readUInt16LE(format))) return file.readUInt32LE(format + 4) * sampleBytes(file, format);
  return Math.min(file.readUInt32LE(format + 8), maxAudioRate);
}

/** Bytes of one sample of all channels. Decoders use channels and bits, not the block size in the header. */
function sampleBytes(file: Buffer, format: number): number {
  const claimed = file.readUInt16LE(format + 12);
  const byBits = file.readUInt16LE(format + 2) * Math.ceil(file.readUInt16LE(format + 14) / 8);
  return byBits > 0 ? Math.min(claimed, byBits) : claimed;
}

/** Reads the length from the stream info in the first block: sample rate, channels, bits and number of samples. */
function flacSeconds(file: Buffer): number | undefined {
  if (file.length < 26) return undefined;
  const rate = file.readUIntBE(18, 3) >>> 4;
  const channels = ((file.readUInt8(20) >> 1) & 7) + 1;
  const bits = (file.readUInt16BE(20) >> 4) & 31;
  const samples = (file.readUInt8(21) & 15) * 2 ** 32 + file.readUInt32BE(22);
  if (rate === 0 || samples === 0) return undefined;
  // At least the length if the file were uncompressed.
  return atLeast(samples / rate, file, (rate * channels * (bits + 1)) / 8);
}

const oggHeader = 27;
const opusRate = 48_000;

/**
 * Reads the length from the pages, each of which states the samples so far; a file may contain several streams in
 * sequence.
 */
function oggSeconds(file: Buffer): number | undefined {
  let rate = 0;
  let before = 0;
  let now = 0;
  let at = 0;
  for (let page = 0; at + oggHeader <= file.length && page < maxPages; page += 1) {
    const data = pageData(file, at);
    if (data === undefined) break;
    if ((file.readUInt8(at + 5) & 2) !== 0) {
      before += now;
      now = 0;
      rate = streamRate(file, data) ?? rate;
    }
    const position = file.readBigInt64LE(at + 6);
    if (position > 0n && rate > 0) now = Math.max(now, Number(position) / rate);
    at = data + file.subarray(at + oggHeader, data).reduce((sum, size) => sum + size, 0);
  }
  // Extrapolates to the part that was not read.
  const seconds = ((before + now) * file.length) / Math.min(Math.max(at, 1), file.length);
  return seconds > 0 ? atLeast(seconds, file, maxAudioRate) : undefined;
}

/** Start of a page's data; undefined without a page. */
function pageData(file: Buffer, at: number): number | undefined {
  const data = at + oggHeader + file.readUInt8(at + 26);
  return file.toString('latin1', at, at + 4) === 'OggS' && data <= file.length ? data : undefined;
}

function streamRate(file: Buffer, data: number): number | undefined {
  if (file.toString('latin1', data, data + 8) === 'OpusHead') return opusRate;
  if (file.toString('latin1', data + 1, data + 7) !== 'vorbis' || data + 16 > file.length) return undefined;
  return file.readUInt32LE(data + 12) || undefined;
}

/** Duration of the movie header in `moov`. */
function mp4Seconds(file: Buffer): number | undefined {
  const movie = boxIn(file, 'moov');
  const header = movie && boxIn(movie, 'mvhd');
  if (!header || header.length < 32) return undefined;
  const isLong = header.readUInt8(0) === 1;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return scale > 0 && duration > 0 ? atLeast(duration / scale, file, maxAudioRate) : undefined;
}

/** The contents of the first box of this type. */
function boxIn(file: Buffer, type: string): Buffer | undefined {
  for (let at = 0, part = 0; at + chunkHeader <= file.length && part < maxParts; part += 1) {
    const short = file.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= file.length;
    const size = isLong ? Number(file.readBigUInt64BE(at + chunkHeader)) : short || file.length - at;
    const head = isLong ? 16 : chunkHeader;
    if (size < head) return undefined;
    if (file.toString('latin1', at + 4, at + 8) === type) return file.subarray(at + head, at + size);
    at += size;
  }
  return undefined;
}
