/** kbit/s by version and layer of an MPEG frame. */
const bitRates: Readonly<Record<string, readonly number[]>> = {
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** Sample rates of MPEG 1; versions 2 and 2.5 use a half and a quarter of them. */
const mpegRates = [44_100, 48_000, 32_000];
const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const samplesPerAacFrame = 1024;
const tagHeader = 10;
/** A file without a frame in its first bytes is not MPEG audio. */
const farthestStart = 4096;
/** Maximum number of frames read, more than an hour of MP3, so that a large file does not block other requests. */
const maxSteps = 200_000;
/**
 * Minimum share of a file that frames must cover: real files reach nearly all, but in other data some bytes also look
 * like frames.
 */
const minCovered = 0.5;

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

/** Length of an MP3 or AAC file in seconds, measured frame by frame; undefined without frames. */
export function frameSeconds(file: Buffer): number | undefined {
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
export function id3TagEnd(file: Buffer): number {
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
