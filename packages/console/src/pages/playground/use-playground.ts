import { logApi, priceApi, type Token, tokenApi, tokenKeyPrefix, tokenStatus } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, callList, relayChat } from '../../lib/api/call.ts';
import { useStatus } from '../../lib/page/status.ts';
import { type ChatRequest, chatRequest, type Exchange, type Parameters } from './chat-request.ts';
import { errorMessageOf, ResponseReader, type TokenUsage } from './response-reader.ts';
import { usageCost } from './usage-cost.ts';

interface ResponseCost {
  /** Cost from the log, in points. */
  readonly quota?: number;
  /** Cost from price and tokens in dollars, if there is no log. */
  readonly dollars?: number;
}

/**
 * Delays between charge lookups. The charge is stored before a response ends, but after it if the response was stopped.
 */
const lookupDelaysMs = { done: [0, 500], stopped: [300, 1000, 2500] } as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Cost of a response; undefined if neither the log nor a price is available. */
async function costOf(
  requestId: string,
  { model, usage, end }: { model: string; usage: TokenUsage | undefined; end: keyof typeof lookupDelaysMs },
): Promise<ResponseCost> {
  for (const ms of requestId === '' ? [] : lookupDelaysMs[end]) {
    await pause(ms);
    const { rows } = await callList(logApi.listOwn, { query: { size: 20, request_id: requestId } });
    const row = rows.find((log) => log.request_id === requestId);
    if (row) return { quota: row.quota };
  }
  if (!usage) return {};
  const prices = await call(priceApi.listOwn, {});
  const dollars = usageCost(
    usage,
    prices.find((price) => price.model === model),
  );
  return dollars === undefined ? {} : { dollars };
}

/** Own active tokens, newest first. Their keys are kept in memory only. */
export const activeTokensQuery = queryOptions({
  queryKey: ['playground-tokens'],
  queryFn: async ({ signal }): Promise<readonly Token[]> => {
    const { rows } = await callList(tokenApi.list, { query: { size: 100, status: tokenStatus.enabled } }, { signal });
    // An imported token has no known key until its first use.
    return rows.filter(({ status, key }) => status === tokenStatus.enabled && key !== '');
  },
  staleTime: 0,
  gcTime: 0,
});

/** Response slots: two when comparing models side by side. */
export const modelSlots = ['first', 'second'] as const;

export interface ModelResponse {
  readonly model: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly firstByteMs: number | undefined;
  readonly totalMs: number | undefined;
  /** Cost from the log, once available. */
  readonly quota: number | undefined;
  /** Estimated cost in dollars, if there is no log. */
  readonly dollars: number | undefined;
}

/** A prompt, and the response of each model. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  readonly pictures: readonly string[];
  readonly answers: readonly ModelResponse[];
}

export interface SendInput {
  readonly token: Token;
  readonly models: readonly string[];
  readonly parameters: Parameters;
  readonly question: string;
  readonly pictures: readonly string[];
}

/** Previous exchanges with the model at this position. */
export const previousExchanges = (turns: readonly Turn[], position: number): Exchange[] =>
  turns.map(({ question, pictures, answers }) => ({ question, pictures, answer: answers[position]?.text }));

const newResponse = (model: string): ModelResponse => ({
  model,
  text: '',
  reasoning: '',
  state: 'running',
  error: undefined,
  usage: undefined,
  firstByteMs: undefined,
  totalMs: undefined,
  quota: undefined,
  dollars: undefined,
});

type Change = (change: (response: ModelResponse) => Partial<ModelResponse>) => void;

/** A conversation with one or two models. Nothing is stored. */
export function usePlayground() {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const { extensions } = useStatus();
  const controller = useRef<AbortController>(undefined);
  /** Incremented when a conversation is cleared, so that its late results are ignored. */
  const questionCount = useRef(0);
  // Cancels the request when the page is left, to stop its cost.
  useEffect(() => () => controller.current?.abort(), []);
  const isRunning = turns.some(({ answers }) => answers.some(({ state }) => state === 'running'));

  const ask = ({ token, models, parameters, question, pictures }: SendInput) => {
    questionCount.current += 1;
    const id = questionCount.current;
    const turn: Turn = { id, question, pictures, answers: models.map(newResponse) };
    setTurns([...turns, turn]);
    controller.current = new AbortController();
    const { signal } = controller.current;
    for (const [position, model] of models.entries()) {
      const change: Change = (make) =>
        setTurns((all) =>
          all.map((one) =>
            one.id === id
              ? {
                  ...one,
                  answers: one.answers.map((each, at) => (at === position ? { ...each, ...make(each) } : each)),
                }
              : one,
          ),
        );
      const request = chatRequest(model, parameters, previousExchanges([...turns, turn], position));
      void requestResponse({ key: tokenKeyPrefix + token.key, request, signal, hasPrices: extensions }, change);
    }
  };

  return {
    turns,
    isRunning,
    ask,
    stop: () => controller.current?.abort(),
    clear: () => {
      controller.current?.abort();
      setTurns([]);
    },
  };
}

interface Sending {
  readonly key: string;
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  /** False on other servers, which have no price list. */
  readonly hasPrices: boolean;
}

async function requestResponse({ key, request, signal, hasPrices }: Sending, change: Change): Promise<void> {
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  const { model } = request;
  let requestId = '';
  let usage: TokenUsage | undefined;
  try {
    const response = await relayChat(key, request, signal);
    if (!response.ok || !response.body) {
      const error = errorMessageOf(await response.text(), response.status);
      change(() => ({ state: 'failed', error, totalMs: elapsed() }));
      return;
    }
    requestId = response.headers.get('x-request-id') ?? '';
    change(() => ({ firstByteMs: elapsed() }));
    usage = await readAll(response.body, change);
    change(({ error }) => ({ state: error === undefined ? 'done' : 'failed', totalMs: elapsed() }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    change(() =>
      signal.aborted
        ? { state: 'stopped', totalMs: elapsed() }
        : { state: 'failed', error: reason, totalMs: elapsed() },
    );
  }
  const end = signal.aborted ? 'stopped' : 'done';
  // The cost stays empty if the log cannot be read.
  const cost = await costOf(requestId, { model, usage: hasPrices ? usage : undefined, end }).catch(() => ({}));
  change(() => cost);
}

/** Reads the stream. Returns the usage, if reported. */
async function readAll(body: ReadableStream<Uint8Array>, change: Change): Promise<TokenUsage | undefined> {
  const reader = new ResponseReader();
  const decoder = new TextDecoder();
  const source = body.getReader();
  for (;;) {
    const { done, value } = await source.read();
    const piece = reader.push(done ? '\n' : decoder.decode(value, { stream: true }));
    change((response) => ({
      text: response.text + piece.text,
      reasoning: response.reasoning + piece.reasoning,
      usage: piece.usage ?? response.usage,
      error: response.error ?? piece.error,
    }));
    if (done) return piece.usage;
  }
}
