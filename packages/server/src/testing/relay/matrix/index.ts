import { anthropicRow } from './anthropic-row.ts';
import { claudeWireRows } from './claude-wire-rows.ts';
import { converseWireRow } from './converse-wire-row.ts';
import { geminiRow } from './gemini-row.ts';
import { googleWireRows } from './google-wire-rows.ts';
import type { DialectRow, WireRow } from './matrix.ts';
import { ollamaRow } from './ollama-row.ts';
import { openaiChatRow } from './openai-chat-row.ts';
import { openaiWireRows } from './openai-wire-rows.ts';
import { otherWireRows } from './other-wire-rows.ts';
import { responsesRow } from './responses-row.ts';
import { responsesWireRow } from './responses-wire-row.ts';

/** Add a row here for a new dialect. */
const dialectRows: readonly DialectRow[] = [openaiChatRow, responsesRow, anthropicRow, geminiRow, ollamaRow];

/** Add a row here for a new wire. */
export const wireRows: readonly WireRow[] = [
  ...openaiWireRows,
  responsesWireRow,
  ...claudeWireRows,
  ...googleWireRows,
  converseWireRow,
  ...otherWireRows,
];

export const clientsOf = ({ clients = dialectRows }: WireRow): readonly DialectRow[] => clients;
