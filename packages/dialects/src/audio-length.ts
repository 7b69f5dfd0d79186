/**
 * Bytes per second at 256 kbit/s, which speech recordings do not exceed. A header with a shorter length than this
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
 * Length of an audio file in seconds, measured from its data rather than its header; undefined if that is impossible.
 * Never less than the length at the highest common bit rate, nor more than a day.
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

/** Bytes per sample across all channels. Decoders use channels and bits, not the block size in the header. */
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
  // At least the length that the same number of bytes would have uncompressed.
  return atLeast(samples / rate, file, (rate * channels * (bits + 1)) / 8);
}

const oggHeader = 27;
const opusRate = 48_000;

/**
 * Reads the length from the pages, each of which contains the number of samples so far; a file may contain several
 * streams in sequence.
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

/** Start of a page's data; undefined if there is no page. */
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

/** Contents of the first box of this type. */
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

/** kbit/s by version and layer of an MPEG frame. */
const bitRates: Readonly<Record<string, readonly number[]>> = {
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** Sample rates of MPEG 1; versions 2 and 2.5 use one half and one quarter of them. */
const mpegRates = [44_100, 48_000, 32_000];
const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const samplesPerAacFrame = 1024;
const tagHeader = 10;
/** A file without a frame in its first bytes is not MPEG audio. */
const farthestStart = 4096;
/** Maximum number of frames read, more than an hour of MP3, so that a large file does not block other requests. */
const maxSteps = 200_000;
/**
 * Minimum share of a file that frames must cover. Real files are almost entirely frames, but other data may contain
 * bytes that look like frames.
 */
const minCovered = 0.5;

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** Length of an MP3 or AAC file in seconds, measured frame by frame; undefined without frames. */
function frameSeconds(file: Buffer): number | undefined {
  let seconds = 0;
  let covered = 0;
  let at = 0;
  for (let step = 0; step < maxSteps && at + 7 <= file.length; step += 1) {
    const frame = frameAt(file, at);
    if (!frame && seconds === 0 && at > farthestStart) return undefined;
    seconds += frame?.seconds ?? 0;
    covered += frame?.bytes ?? 0;
    at = frame ? at + frame.bytes : nextMark(file, at);
  }
  // Extrapolates to the part that was not read.
  const read = Math.min(at, file.length);
  return seconds > 0 && covered >= read * minCovered ? (seconds * file.length) / read : undefined;
}

/** Next position where a frame may start. */
function nextMark(file: Buffer, at: number): number {
  const next = file.indexOf(0xff, at + 1);
  return next === -1 ? file.length : next;
}

/** End of an ID3 tag, which may contain an image; its length has seven bits per byte. */
function id3TagEnd(file: Buffer): number {
  if (file.length < tagHeader || file.toString('latin1', 0, 3) !== 'ID3') return 0;
  return tagHeader + file.subarray(6, tagHeader).reduce((size, byte) => size * 128 + (byte & 127), 0);
}

function frameAt(file: Buffer, at: number): Frame | undefined {
  const second = file.readUInt8(at + 1);
  if (file[at] !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const layer = (second >> 1) & 3;
  return layer === 0 ? aacFrame(file, at, second) : mpegFrame(file, at, second, 4 - layer);
}

function aacFrame(file: Buffer, at: number, second: number): Frame | undefined {
  const rate = aacRates[(file.readUInt8(at + 2) >> 2) & 15];
  const bytes = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  if ((second & 0xf0) !== 0xf0 || rate === undefined || bytes < 7) return undefined;
  return { bytes, seconds: samplesPerAacFrame / rate };
}

function mpegFrame(file: Buffer, at: number, second: number, layer: number): Frame | undefined {
  const code = (second >> 3) & 3;
  const third = file.readUInt8(at + 2);
  const base = mpegRates[(third >> 2) & 3];
  const kilobits = bitRates[`${code === 3 ? 1 : 2}-${layer}`]?.[third >> 4];
  if (code === 1 || base === undefined || !kilobits) return undefined;
  const rate = code === 3 ? base : code === 2 ? base / 2 : base / 4;
  const samples = layer === 1 ? 384 : layer === 3 && code !== 3 ? 576 : 1152;
  const padding = (third >> 1) & 1;
  const bytes =
    layer === 1
      ? (Math.floor((12 * kilobits * 1000) / rate) + padding) * 4
      : Math.floor(((samples / 8) * kilobits * 1000) / rate) + padding;
  return { bytes, seconds: samples / rate };
}

/** Minimum bytes per second of common recordings; at a lower rate, a few kilobytes may contain hours. */
const minBytesPerSecond = 1000;
/** WAV format codes of uncompressed samples. */
const measuredFormats: ReadonlySet<number> = new Set([1, 3]);
const headerCharacters = 60;

/** True if the size of base64 audio bounds its length, judging by the first bytes. */
export function isMeasurableAudio(data: string): boolean {
  // MP3 starts with a tag or a frame, and has at least 8 kbit/s.
  if (data.startsWith('SUQz') || data.startsWith('//')) return true;
  const header = Buffer.from(data.slice(0, headerCharacters), 'base64');
  if (header.length < 36 || header.toString('latin1', 0, 4) !== 'RIFF') return false;
  if (header.toString('latin1', 8, 16) !== 'WAVEfmt ') return false;
  const bytesPerSecond = header.readUInt32LE(24) * header.readUInt16LE(32);
  return measuredFormats.has(header.readUInt16LE(20)) && bytesPerSecond >= minBytesPerSecond;
}
