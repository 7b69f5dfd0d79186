/**
 * Node's HTTP, past the import: as a module it would hand out all it exports, its WebSocket among them, and load Node's
 * own fetch for that, some 3 MB that nothing here needs.
 */
export const { createServer, request, validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');
