import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { anthropic } from './index.ts';

const messages = passThroughEndpoint(anthropic, 'messages');
const sameModel = { ...testUpstream, model: 'claude-opus-4-8', requestedModel: 'claude-opus-4-8' };
const patched = (body: JsonObject, upstream = sameModel) => messages.patch?.(body, upstream);
const user = (...content: readonly JsonObject[]) => ({ role: 'user', content });
const assistant = (...content: readonly JsonObject[]) => ({ role: 'assistant', content });
const thought = (signature: string) => ({ type: 'thinking', thinking: 'Hm', signature });
const text = { type: 'text', text: 'Hi' };
const use = { type: 'tool_use', id: 't', name: 'now', input: {} };
const result = { type: 'tool_result', tool_use_id: 't', content: 'noon' };

describe("Anthropic's dialect", () => {
  test("sends a request to the native endpoint, with the client's version and betas and the channel's key", () => {
    const clientHeaders = { 'anthropic-beta': 'a,b', 'anthropic-version': '2026-10-21' };
    expect(messages.send({ ...testUpstream, clientHeaders })).toEqual({
      url: 'https://upstream.test/v1/messages',
      headers: { ...clientHeaders, 'x-api-key': 'test-key' },
    });
    expect(messages.send(testUpstream).headers).toMatchObject({ 'anthropic-version': '2023-06-01' });
  });

  test('passes a request through unchanged, including reasoning and inline system messages', () => {
    const hidden = { type: 'redacted_thinking', data: 'ZGF0YQ' };
    const inside = { role: 'system', content: 'In Latin' };
    const body = {
      messages: [user(text), inside, assistant(thought('c2ln'), hidden, use), user(result)],
      unheard_of: 1,
    };
    expect(patched(body)).toEqual({});
  });

  test("drops other vendors' reasoning, which Anthropic would reject", () => {
    const sealed = { type: 'redacted_thinking', data: 'hg1.openai.rs_1~ZGF0YQ' };
    const body = {
      messages: [
        user(text),
        assistant(thought('hg1.google.Zw'), sealed, text),
        { role: 'user', content: 'And?' },
        assistant(thought('')),
        user(text),
        assistant(thought('c2ln'), text),
      ],
    };
    expect(patched(body)).toEqual({
      messages: [
        user(text),
        assistant(text),
        { role: 'user', content: 'And?' },
        user(text),
        assistant(thought('c2ln'), text),
      ],
    });
  });

  test.each([
    [[assistant(thought('hg1.google.Zw'), use)], { type: 'enabled', budget_tokens: 2000 }, true],
    [
      [assistant(thought('c2ln'), use), user(result), assistant(thought(''), use)],
      { type: 'enabled', budget_tokens: 2000 },
      false,
    ],
    [[assistant(thought('hg1.google.Zw'), use)], { type: 'adaptive' }, false],
    [[assistant(use)], { type: 'enabled', budget_tokens: 2000 }, true],
    [[assistant(use)], { type: 'disabled' }, false],
  ])('drops and reports thinking when a turn cannot continue it (row %#)', (turns, thinking, isOff) => {
    const body = { thinking, messages: [user(text), ...turns, user(result)] };
    expect(messages.drops?.(body, testUpstream)).toEqual(isOff ? ['thinking'] : []);
  });

  test('moves system messages to the start for a mapped model', () => {
    const inside = { role: 'system', content: 'In Latin' };
    const body = { system: 'Be brief', messages: [user(text), inside] };
    const mapped = { ...testUpstream, requestedModel: 'claude-opus-4-8' };
    expect(patched(body, { ...mapped, model: 'claude-sonnet-4-5' })).toEqual({
      system: [
        { type: 'text', text: 'Be brief' },
        { type: 'text', text: 'In Latin' },
      ],
      messages: [user(text)],
    });
    expect(patched(body, { ...mapped, model: 'claude-opus-4-8-20260528' })).toEqual({});
  });

  test('reads a response that is passed through', () => {
    const usage = { input_tokens: 9, output_tokens: 3 };
    const response = { type: 'message', content: [text], stop_reason: 'end_turn', usage };
    expect(messages.watch?.decode(response)).toEqual({
      choices: [{ content: 'Hi', finishReason: 'stop' }],
      usage: { promptTokens: 9, completionTokens: 3 },
    });
    expect(messages.watch?.stream.framing).toBe('sse');
    expect(messages.readProblem?.(529, {})?.status).toBe(503);
  });
});
