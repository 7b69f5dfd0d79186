import { expect, test } from 'vitest';
import { DeltaMerger } from './merge-deltas.ts';

test("orders calls by index, even if the upstream's indexes are negative or fractional", () => {
  const gatherer = new DeltaMerger();
  for (const index of [4_294_967_294, -1, 0.5]) {
    gatherer.add({ toolCall: { index, id: `call_${index}`, name: 'now', arguments: '{' } });
    gatherer.add({ toolCall: { index, arguments: '}' } });
  }
  gatherer.add({ finishReason: 'tool_calls' });
  const [choice] = gatherer.response(undefined)?.choices ?? [];
  expect(choice?.toolCalls).toEqual(
    ['call_-1', 'call_0.5', 'call_4294967294'].map((id) => ({ id, name: 'now', arguments: '{}' })),
  );
});

test('orders choices by index, not by arrival', () => {
  const gatherer = new DeltaMerger();
  gatherer.add({ choice: 1, content: 'B', finishReason: 'stop' });
  gatherer.add({ content: 'A', finishReason: 'stop' });
  expect(gatherer.response(undefined)?.choices.map(({ content }) => content)).toEqual(['A', 'B']);
});

test('[A25.3] merges 300,000 signed reasoning blocks in linear time', () => {
  const gatherer = new DeltaMerger();
  for (let thoughts = 0; thoughts < 300_000; thoughts += 1) {
    gatherer.add({ reasoning: 'a' });
    gatherer.add({ thought: { text: '', maker: 'google', signature: 'b' } });
  }
  gatherer.add({ finishReason: 'stop' });
  const thoughts = gatherer.response(undefined)?.choices[0]?.thoughts ?? [];
  expect([thoughts.length, thoughts.at(-1)?.text]).toEqual([300_000, 'a']);
});
