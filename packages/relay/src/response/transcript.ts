import type { ResponseScan, UsageClaim } from '@headgate/dialects';
import { unitsForReportedSeconds } from '../metering/transcription.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';

const maxSeconds = 24 * 3600;

/** Usage of a transcript: the upstream's report, otherwise its reported seconds, otherwise the text. */
export function transcriptUsage(
  body: Buffer,
  scan: ResponseScan,
  { model, upload }: Pick<RelayRequest, 'model' | 'upload'>,
): TokenCount | string {
  const text = body.toString('utf8');
  const transcript = scan.readTranscript(text);
  if (!transcript) return spokenIn(text);
  const seconds = secondsOf(transcript.seconds);
  if (seconds !== undefined) return transcriptUnits(unitsForReportedSeconds(model, seconds, upload));
  const reported = tokensOf(transcript.usage);
  return reported && (reported.completion > 0 || transcript.text === '') ? reported : transcript.text;
}

/** Upper limit of reported tokens: more than a day of speech. */
const maxTokens = 10_000_000;

function tokensOf({ promptTokens: prompt, completionTokens: completion, audioTokens }: UsageClaim) {
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined;
  const audio = isCount(audioTokens) ? Math.min(Math.ceil(audioTokens), Math.ceil(prompt)) : 0;
  const parts = audio > 0 && { parts: { cached: 0, written: 0, writtenLong: 0, reasoning: 0, audio } };
  return { prompt: Math.ceil(prompt), completion: Math.ceil(completion), ...parts };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= maxTokens;

const transcriptUnits = (units: number): TokenCount => ({ prompt: 0, completion: 0, units });

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds ? seconds : undefined;
}

/** Removes the numbers and timestamps from subtitles. */
const spokenIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\d+\s*$|-->|^WEBVTT/.test(line))
    .join('\n');
