import { claudeEvents, claudeMessage } from '../wires/anthropic.ts';
import { namedEvents } from '../wires/wire.ts';
import { reply, stream, type UpstreamHandler } from './stub-upstream.ts';

type Body = Readonly<Record<string, unknown>>;

/** Models that accept no sampling parameters, according to the migration guides. */
const withoutSampling = /^claude-(?:opus-4-[78]|(?:opus|sonnet|fable)-5)/;
/** Models that accept either `temperature` or `top_p`, not both. */
const withEither = /^claude-(?:opus-4-1|(?:opus|sonnet|haiku)-4-5|(?:opus|sonnet)-4-6)/;

/**
 * Fake Anthropic API that enforces the published parameter rules: returns 400 with the original messages, or a
 * response.
 */
export const strictClaude: UpstreamHandler = (response, request) => {
  const message = faultIn(request.body);
  if (message !== undefined) {
    return reply({ type: 'error', error: { type: 'invalid_request_error', message } }, 400)(response, request);
  }
  const respond =
    request.body['stream'] === true ? stream(namedEvents(claudeEvents(false))) : reply(claudeMessage(false));
  return respond(response, request);
};

function faultIn(body: Body): string | undefined {
  return samplingFault(body) ?? thinkingFault(body) ?? stopFault(body) ?? limitFault(body);
}

function samplingFault({ model, ...body }: Body): string | undefined {
  const given = ['temperature', 'top_p', 'top_k'].filter((name) => body[name] !== undefined);
  if (withoutSampling.test(String(model)) && given.length > 0) return `\`${given[0]}\` is deprecated for this model.`;
  if (Number(body['temperature']) > 1) return 'temperature: range: 0..1';
  const hasBoth = given.includes('temperature') && given.includes('top_p');
  return withEither.test(String(model)) && hasBoth
    ? '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
    : undefined;
}

function thinkingFault({ thinking, temperature, top_p: topP, top_k: topK }: Body): string | undefined {
  const type = (thinking as { readonly type?: string } | undefined)?.type;
  if (type !== 'enabled' && type !== 'adaptive') return undefined;
  if (temperature !== undefined && temperature !== 1) {
    return '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.';
  }
  if (topP !== undefined && Number(topP) < 0.95) return '`top_p` must be greater than or equal to 0.95 or unset.';
  return topK === undefined ? undefined : '`top_k` must be unset when thinking is enabled.';
}

function stopFault({ stop_sequences: stops = [] }: Body): string | undefined {
  const isBlank = (stops as readonly string[]).some((stop) => stop.trim() === '');
  return isBlank ? 'stop_sequences: each stop sequence must contain non-whitespace' : undefined;
}

const limitFault = ({ max_tokens: limit }: Body): string | undefined =>
  typeof limit === 'number' && limit > 0 ? undefined : 'max_tokens: Field required';
