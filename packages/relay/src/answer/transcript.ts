import { parseJson } from '@headgate/dialects';
import type { TokenCount } from '../quota/price.ts';

/** Spoken words are about 150 a minute, and a token three quarters of one. */
const tokensPerSecond = 200 / 60;
const mostSeconds = 24 * 3600;

/** What a transcript costs: the upstream's usage, else the seconds it tells, else the text that is given here. */
export function transcriptUse(body: Buffer): TokenCount | string {
  const text = body.toString('utf8');
  const reply = parseJson(text) ?? lastOfEvents(text);
  if (typeof reply !== 'object' || reply === null) return spokenIn(text);
  const { usage, duration, text: said } = reply as { usage?: unknown; duration?: unknown; text?: unknown };
  const seconds = secondsOf((usage as { seconds?: unknown } | undefined)?.seconds ?? duration);
  if (seconds !== undefined) return heard(Math.ceil(seconds * tokensPerSecond));
  const { input_tokens, output_tokens } = (usage ?? {}) as Record<string, unknown>;
  const words = typeof said === 'string' ? said : '';
  const told = tokensOf(input_tokens, output_tokens);
  return told && (told.completion > 0 || words === '') ? told : words;
}

/** More than are heard in a day. */
const mostTokens = 10_000_000;

function tokensOf(prompt: unknown, completion: unknown): TokenCount | undefined {
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined;
  return { prompt: Math.ceil(prompt), completion: Math.ceil(completion) };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= mostTokens;

interface TranscriptEvent {
  readonly type?: unknown;
  readonly delta?: unknown;
}

/** The event that ends a stream has all that a whole reply has; without it there are the pieces. */
function lastOfEvents(text: string): object | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  const events = lines.map((line) => parseJson(line.slice('data:'.length)) as TranscriptEvent | undefined);
  const pieces = events.map((event) => (typeof event?.delta === 'string' ? event.delta : ''));
  const isStream = events.some((event) => String(event?.type).startsWith('transcript.text.'));
  const last = events.findLast((event) => event?.type === 'transcript.text.done');
  return last ?? (isStream ? { text: pieces.join('') } : undefined);
}

const heard = (units: number): TokenCount => ({ prompt: 0, completion: 0, units });

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= mostSeconds ? seconds : undefined;
}

/** Subtitles without their numbers and times. */
const spokenIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\d+\s*$|-->|^WEBVTT/.test(line))
    .join('\n');
