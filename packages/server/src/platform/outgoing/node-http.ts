/**
 * Node's HTTP loaded without an ES module import: the import would expose all exports, including WebSocket, which
 * loads Node's fetch. An idle process takes 67.8 MB with it and 62.9 MB without (`node
 * scripts/bench/plain-forms.ts`).
 */
export const { Agent, createServer, request, ServerResponse, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule('node:http');
