import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { AudioUpload } from '../request/audio-upload.ts';
import type { UsageEstimate } from './estimated-usage.ts';

/** Bytes of a second where a file does not tell its length: 32 kbit/s, less than most recordings have. */
const assumedBytesPerSecond = 4000;
/** Bytes for each unit of the thinnest recording, for the reserve of such a file. */
const fewestBytesPerUnit = 64;

/** Units of a second: as many as spoken words have tokens, 150 words a minute of three quarters of a token. */
const usualUnitsPerSecond = 200 / 60;
/** Models that are paid by tokens: 10 of audio at 2.4 times the price of text, and those of the transcript at 4 times. */
const paidByTokens = /transcribe/;
const tokenUnitsPerSecond = 40;

/** Room in a reserve for an upstream that measures otherwise: a tenth, and ten seconds. */
const measuringMargin = 1.1;
const marginSeconds = 10;

/** What a recording of this length costs, in the unit that a token of the model costs. */
export const unitsOfSeconds = (model: string, seconds: number): number =>
  Math.ceil(seconds * (paidByTokens.test(model) ? tokenUnitsPerSecond : usualUnitsPerSecond));

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
