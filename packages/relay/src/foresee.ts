import { estimatePrompt } from './count-tokens.ts';
import { imageUnits } from './price/images.ts';
import type { TokenCount } from './price/price.ts';
import type { RelayRequest } from './read-request.ts';
import { RelayError } from './relay-error.ts';

/** What a request will use, as far as it can be told before: held for it, and charged when nobody tells better. */
export interface Foreseen {
  readonly held: TokenCount;
  /** Of a delivered answer whose upstream tells no usage; its completion is counted as it goes by. */
  readonly used: TokenCount;
}

const longestSpeech = 4096;

export function foresee(request: RelayRequest, assumedTokens: number): Foreseen {
  const { kind } = request;
  if (kind.costs === 'images') return fixed(imageUnits(picturesOf(request)));
  if (kind.costs === 'characters') return fixed(charactersOf(request));
  if (kind.costs === 'transcript') return { held: { ...nothing, units: assumedTokens }, used: nothing };
  const prompt = estimatePrompt(request);
  const assumed = kind.answersText ? assumedTokens : 0;
  const completion = (request.completionLimit ?? assumed) * request.choices;
  return { held: { prompt, completion }, used: { prompt, completion: 0, counted: 'estimate' } };
}

const nothing: TokenCount = { prompt: 0, completion: 0 };

function fixed(units: number): Foreseen {
  const used = { ...nothing, units };
  return { held: used, used };
}

function picturesOf({ model, body, choices }: RelayRequest) {
  const { prompt, size, quality } = body;
  return {
    ...{ model, count: choices, isFine: quality === 'hd', prompt: typeof prompt === 'string' ? prompt : '' },
    size: typeof size === 'string' && size !== '' ? size : '1024x1024',
  };
}

function charactersOf({ body }: RelayRequest): number {
  const { input } = body;
  if (typeof input !== 'string') throw refused('input must be text');
  const count = [...input].length;
  if (count > longestSpeech) throw refused(`input may have at most ${longestSpeech} characters`, 'text_too_long');
  return count;
}

const refused = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
