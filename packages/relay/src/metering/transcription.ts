import { maxAudioRate } from '@headgate/dialects';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { AudioUpload } from '../request/audio-upload.ts';
import type { UsageEstimate } from './estimated-usage.ts';

/*
 * How the length of a recording is determined when the upstream reports no usage:
 * - WAV, FLAC, MP3 and AAC are measured. The stated length of Ogg and MP4 is used, but at least their bytes at 256
 * kbit/s.
 * - Other files count at 32 kbit/s.
 * - The text counts at least as half of the time it takes to speak, so that a tiny or mislabeled file is not free.
 * Reported seconds are raised to the minimum that the bytes allow (256 kbit/s, or the length above if that is less),
 * and lowered to the reserved length plus a minute, as some providers bill whole minutes.
 */
const assumedBytesPerSecond = 4000;
/** Bytes per unit at the lowest bit rate, for the reservation of a file of unknown length. */
const fewestBytesPerUnit = 64;

/** Units per second: tokens of speech at 150 words a minute and three quarters of a word per token. */
const usualUnitsPerSecond = 200 / 60;
/**
 * Models charged by tokens: 10 audio tokens a second at 2.4 times the price of text, and transcript tokens at 4
 * times.
 */
const paidByTokens = /transcribe/;
const tokenUnitsPerSecond = 40;

const billedSeconds = 60;

/** Reserve margin for an upstream that measures differently: 10% and ten seconds. */
const measuringMargin = 1.1;
const marginSeconds = 10;

/** Cost of a recording of this length, in units of the model's token price. */
const unitsOfSeconds = (model: string, seconds: number): number =>
  Math.ceil(seconds * (paidByTokens.test(model) ? tokenUnitsPerSecond : usualUnitsPerSecond));

/** Minimum charge for the text: one unit per token for Whisper, half of the time it takes to speak for other models. */
export const textUnitsCharge = (model: string, tokens: number): number =>
  paidByTokens.test(model) ? Math.ceil((tokens / usualUnitsPerSecond / 2) * tokenUnitsPerSecond) : tokens;

/** Charge for the seconds that an upstream reports. */
export function unitsForReportedDuration(model: string, seconds: number, upload: AudioUpload | undefined): number {
  const units = unitsOfSeconds(model, seconds);
  if (!upload) return units;
  const min = Math.min(upload.seconds ?? Number.POSITIVE_INFINITY, upload.bytes / maxAudioRate);
  const max = (estimateTranscription(model, upload).most.units ?? 0) + unitsOfSeconds(model, billedSeconds);
  return Math.min(Math.max(units, unitsOfSeconds(model, min)), max);
}

/** Estimates the usage of a transcription from the recording alone; charged if the upstream reports none. */
export function estimateTranscription(model: string, upload: AudioUpload | undefined): UsageEstimate {
  const { bytes, seconds } = upload ?? { bytes: 0, seconds: undefined };
  const used: TokenCount = {
    ...noTokens,
    units: unitsOfSeconds(model, seconds ?? bytes / assumedBytesPerSecond),
    counted: 'estimate',
  };
  const units =
    seconds === undefined
      ? (used.units ?? 0) + Math.ceil(bytes / fewestBytesPerUnit)
      : unitsOfSeconds(model, seconds * measuringMargin + marginSeconds);
  return { most: { ...noTokens, units }, least: used, used };
}
