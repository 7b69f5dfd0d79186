import { reply, stream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { wireRows } from '../../testing/relay/matrix/index.ts';
import { cities, type ModelOutput, type WireRow } from '../../testing/relay/matrix/matrix.ts';
import { useMatrixFixtures } from '../../testing/relay/matrix/matrix-fixture.ts';
import { type ToolLoop, toolLoops } from '../../testing/relay/tool-loops.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

// `ai` logs warnings about unknown model names.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const app = await useTestApp();
const stageOf = useMatrixFixtures(app);
const clients = Object.keys(toolLoops(app.url, 'sk-none'));
/** Upstreams that are not translated serve only clients of the same dialect. */
const clientsFor = ({ clients: own }: WireRow) => (own ? clients.filter((name) => name.includes('openai')) : clients);
const question = 'How is the weather in Oslo and in Rome?';
const steps: readonly ModelOutput[] = [{ calls: ['Oslo'] }, { calls: ['Rome'] }, { text: 'Rain and sun' }];

describe.each(wireRows.map((row, turn) => ({ name: row.name, row, turn })))(
  'tool loops with $name',
  ({ row, turn }) => {
    test.each(rotatedSample(clientsFor(row), turn * 2, 2))(
      'completes a three-turn tool loop with %s and keeps all calls and results',
      async (name) => {
        const stage = await stageOf(row);
        stage.respondWith((response, request) => {
          const step = steps[stage.seen.length - 1] ?? {};
          const isStream = request.body['stream'] === true || /stream/i.test(request.path);
          return (isStream ? stream(row.pieces(step)) : reply(row.whole(step)))(response, request);
        });
        const loop = toolLoops(app.url, `sk-${stage.scene.token.key}`)[name] as ToolLoop;
        const weatherOf = (city: string) => cities[city as keyof typeof cities];
        expect(await loop({ model: row.model, question, weatherOf })).toBe('Rain and sun');
        // Google's client stores the end of a stream as an empty turn.
        const turns = stage.lastSeen().turns.filter((turn) => !('assistant' in turn) || turn.calls.length > 0);
        expect(turns).toEqual([
          { user: question, pictures: 0 },
          { assistant: '', calls: ['Oslo'] },
          { results: { Oslo: expect.stringContaining('rain') } },
          { assistant: '', calls: ['Rome'] },
          { results: { Rome: expect.stringContaining('sun') } },
        ]);
        const { logs, drift } = await stage.scene.books();
        expect(logs).toHaveLength(steps.length);
        expect(drift).toBe(0);
      },
    );
  },
);
