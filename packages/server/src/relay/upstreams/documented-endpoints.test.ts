import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { anthropicRow } from '../../testing/relay/matrix/anthropic-row.ts';
import { geminiRow } from '../../testing/relay/matrix/gemini-row.ts';
import type { DialectRow } from '../../testing/relay/matrix/matrix.ts';
import { objectIn } from '../../testing/relay/matrix/matrix-fixture.ts';
import { openaiChatRow } from '../../testing/relay/matrix/openai-chat-row.ts';
import { responsesRow } from '../../testing/relay/matrix/responses-row.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const page = readFileSync(new URL('../../../../../docs/dialects.md', import.meta.url), 'utf8');

/** Endpoints that the documentation lists for this dialect. */
const addressesOf = ({ name }: DialectRow) =>
  [...(page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '').matchAll(/`(GET|POST) (\S+)`/g)].map(
    ([, method = '', path = '']) => ({ method, path: path.replace('{model}', 'gpt-4o') }),
  );

test.each([openaiChatRow, responsesRow, anthropicRow, geminiRow])(
  'serves every endpoint that docs/dialects.md lists for $name, and rejects an unknown key in its format',
  async (dialect) => {
    const addresses = addressesOf(dialect);
    expect(addresses.length).toBeGreaterThan(0);
    for (const { method, path } of addresses) {
      const headers = { 'content-type': 'application/json', ...dialect.headers('sk-nobodys') };
      const body = method === 'POST' ? '{}' : null;
      const response = await fetch(app.url + path, { method, headers, body });
      expect(response.status, `${method} ${path}`).toBe(401);
      expect(dialect.error(objectIn(await response.text())).message).not.toBe('');
    }
  },
);
