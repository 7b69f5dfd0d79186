import { type Log, logType } from '@headgate/contract';
import type { LogDetail } from './log-detail.ts';

/** Line items of a receipt, by translation key. */
type ChargeLineName =
  | 'Input'
  | 'Cache read'
  | 'Cache write'
  | 'Cache write (1 h)'
  | 'Output'
  | 'Reasoning'
  | 'Audio input'
  | 'Cached audio'
  | 'Image input'
  | 'Cached image'
  | 'Per request'
  | 'Audio output'
  | 'Image output'
  | 'Units';

interface ChargeLine {
  readonly name: ChargeLineName;
  /** Tokens or units; 1 for the price per request. */
  readonly tokens: number;
  /** Points per token, including the group ratio. */
  readonly pointsEach: number;
}

/** Cost breakdown of a request. */
export interface Charge {
  readonly lines: readonly ChargeLine[];
  /** Total before rounding to whole points. */
  readonly sum: number;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly groupRatio: number;
  readonly group: string;
}

/** Cost breakdown of a request, including interrupted ones; undefined if it was not charged or has no details. */
export function chargeOf(log: Log, detail: LogDetail): Charge | undefined {
  const { model_ratio: modelRatio, completion_ratio: completionRatio = 1, group_ratio: groupRatio = 1 } = detail;
  if (modelRatio === undefined || (log.type !== logType.consumption && log.quota === 0)) return undefined;
  const each = modelRatio * groupRatio;
  const parts = [...promptParts(log, detail), ...completionParts(log, detail, completionRatio)];
  const lines = parts.map(({ name, tokens, ratio }): ChargeLine => ({ name, tokens, pointsEach: ratio * each }));
  if (detail.call_points !== undefined && log.quota > 0)
    lines.push({ name: 'Per request', tokens: 1, pointsEach: detail.call_points * groupRatio });
  const sum = lines.reduce((total, { tokens, pointsEach }) => total + tokens * pointsEach, 0);
  return { lines, sum, modelRatio, completionRatio, groupRatio, group: detail.group };
}

interface Part {
  readonly name: ChargeLineName;
  readonly tokens: number;
  /** Relative to prompt tokens. */
  readonly ratio: number;
}

function promptParts({ prompt_tokens: prompt }: Log, detail: LogDetail): readonly Part[] {
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0, cache_long_write_tokens: long = 0 } = detail;
  const { cache_read_ratio: read = 1, cache_write_ratio: write = 1, units = 0 } = detail;
  const { audio_tokens: audio = 0, audio_ratio = 1, image_tokens: image = 0, image_ratio = 1 } = detail;
  const { cached_audio_tokens: cachedAudio = 0, cached_image_tokens: cachedImage = 0 } = detail;
  const rest = prompt - cached - written - audio - image;
  const parts: readonly Part[] = [
    { name: 'Cache read', tokens: cached - cachedAudio - cachedImage, ratio: read },
    { name: 'Cached audio', tokens: cachedAudio, ratio: read * (detail.cached_audio_ratio ?? 1) },
    { name: 'Cached image', tokens: cachedImage, ratio: read * (detail.cached_image_ratio ?? 1) },
    { name: 'Cache write', tokens: written - long, ratio: write },
    { name: 'Cache write (1 h)', tokens: long, ratio: detail.cache_long_write_ratio ?? write },
    { name: 'Audio input', tokens: audio, ratio: audio_ratio },
    { name: 'Image input', tokens: image, ratio: image_ratio },
    { name: 'Units', tokens: units, ratio: 1 },
  ];
  const other = parts.filter(({ tokens }) => tokens > 0);
  return prompt === 0 && other.length > 0 ? other : [{ name: 'Input', tokens: rest, ratio: 1 }, ...other];
}

function completionParts({ completion_tokens: completion }: Log, detail: LogDetail, ratio: number): readonly Part[] {
  const { reasoning_tokens: reasoning = 0, reasoning_ratio: thought = 1 } = detail;
  const { audio_completion_tokens: audio = 0, audio_completion_ratio: sound = 1 } = detail;
  const { image_completion_tokens: images = 0, image_completion_ratio: drawn = 1 } = detail;
  const parts: readonly Part[] = [
    { name: 'Output', tokens: completion - reasoning - audio - images, ratio },
    { name: 'Reasoning', tokens: reasoning, ratio: ratio * thought },
    { name: 'Audio output', tokens: audio, ratio: ratio * sound },
    { name: 'Image output', tokens: images, ratio: ratio * drawn },
  ];
  return parts.filter(({ tokens }) => tokens > 0);
}
