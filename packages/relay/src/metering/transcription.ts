import { mostAudioRate } from '@headgate/dialects';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { AudioUpload } from '../request/audio-upload.ts';
import type { UsageEstimate } from './estimated-usage.ts';

/*
 * The length of a recording, where the upstream reports no usage:
 * - WAV, FLAC, MP3 and AAC are measured. Ogg and MP4 are believed, but not below their bytes at 256 kbit/s.
 * - Other files count at 32 kbit/s.
 * - The text counts at least as half of the time that it takes to speak, so that a thin or mislabelled file is not free.
 * Reported seconds are raised to what the bytes allow (256 kbit/s, or the length above if that is less), and lowered to
 * what was reserved and a minute, as some providers bill whole minutes.
 */
const assumedBytesPerSecond = 4000;
/** Bytes for each unit of the thinnest recording, for the reserve of such a file. */
const fewestBytesPerUnit = 64;

/** Units of a second: as many as spoken words have tokens, 150 words a minute of three quarters of a token. */
const usualUnitsPerSecond = 200 / 60;
/** Models that are paid by tokens: 10 of audio at 2.4 times the price of text, and those of the transcript at 4 times. */
const paidByTokens = /transcribe/;
const tokenUnitsPerSecond = 40;

const billedSeconds = 60;

/** Room in a reserve for an upstream that measures otherwise: a tenth, and ten seconds. */
const measuringMargin = 1.1;
const marginSeconds = 10;

/** What a recording of this length costs, in the unit that a token of the model costs. */
const unitsOfSeconds = (model: string, seconds: number): number =>
  Math.ceil(seconds * (paidByTokens.test(model) ? tokenUnitsPerSecond : usualUnitsPerSecond));

/** What its text costs at least: a token of whisper's text is a unit; others cost half of the time it takes to speak. */
export const unitsOfText = (model: string, tokens: number): number =>
  paidByTokens.test(model) ? Math.ceil((tokens / usualUnitsPerSecond / 2) * tokenUnitsPerSecond) : tokens;

/** What seconds cost that an upstream reports. */
export function unitsOfReported(model: string, seconds: number, upload: AudioUpload | undefined): number {
  const units = unitsOfSeconds(model, seconds);
  if (!upload) return units;
  const least = Math.min(upload.seconds ?? Number.POSITIVE_INFINITY, upload.bytes / mostAudioRate);
  const most = (estimateTranscription(model, upload).most.units ?? 0) + unitsOfSeconds(model, billedSeconds);
  return Math.min(Math.max(units, unitsOfSeconds(model, least)), most);
}

/** What a transcription will use, by the recording alone; charged where the upstream reports nothing. */
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
