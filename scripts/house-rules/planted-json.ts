/** JSON parsing that needs no bounds. */
export const acceptedJson = {
  'packages/relay/src/own-json.ts':
    'export const a = (text: string) =>\n  // trusted JSON: written by this program.\n  JSON.parse(text);\nexport const b = JSON.stringify(1);\n',
  'packages/dialects/src/json-fields.ts': 'export const parse = (text: string) => JSON.parse(text);\n',
  'packages/relay/src/json.test.ts': "JSON.parse('1');\n",
  'packages/console/src/lib/page/stored-value.ts': "export const stored = JSON.parse('1');\n",
};

/** JSON parsing without bounds. */
export const plantedJson = [
  'export const read = (text: string) => JSON.parse(text); // PLANTED\n',
  'export const { parse } = JSON; // PLANTED\n',
  'export const parse = globalThis.JSON.parse; // PLANTED\n',
  "export const parse = JSON['parse']; // PLANTED\n",
  'export const read = (reply: Response) => reply.json(); // PLANTED\n',
  '// trusted JSON:\nexport const read = (text: string) => JSON.parse(text); // PLANTED\n',
  '// trusted JSON: far away.\n\nexport const read = (text: string) => JSON.parse(text); // PLANTED\n',
].map((text) => ({ rule: 'json-from-outside-is-bounded', file: 'packages/relay/src/planted.ts', text }));
