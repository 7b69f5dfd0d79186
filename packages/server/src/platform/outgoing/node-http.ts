/**
 * Node's HTTP, past the import: as a module it would hand out all it exports, its WebSocket among them, and load Node's own
 * fetch for that. A process at rest takes 67.8 MB with it and 62.9 without (`node scripts/bench/plain-forms.ts`).
 */
export const { Agent, createServer, request, ServerResponse, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http');
