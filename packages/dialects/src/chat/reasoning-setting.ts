import type { ChatRequest } from './chat-request.ts';

/** Reasoning requested by a suffix of the model name. It replaces the reasoning settings of the request. */
export interface ReasoningSetting {
  /** `none` turns reasoning off. */
  readonly effort: string;
  /** Tokens; absent: the effort decides. */
  readonly budget?: number;
}

const switches = ['enable_thinking', 'thinking_budget'];

/** Replaces all reasoning settings of a request. */
export function withReasoning(request: ChatRequest, { effort, budget }: ReasoningSetting): ChatRequest {
  const { thinking: _thinking, effort: _effort, isReasoningOptional: _optional, dashscope, ...extras } = request.extras;
  const kept = Object.entries(dashscope ?? {}).filter(([name]) => !switches.includes(name));
  return {
    ...request,
    reasoningEffort: effort,
    reasoningBudget: budget,
    extras: {
      ...extras,
      ...(kept.length > 0 && { dashscope: Object.fromEntries(kept) }),
      hasReasoningSuffix: true,
    },
  };
}
