/** Wording that docs/style.md replaces, in comments and test titles. */
export const plantedWording: readonly { readonly file: string; readonly text: string }[] = [
  {
    file: 'packages/relay/src/planted.ts',
    text: '/** PLANTED: whoever calls it. */\nexport const x = 1;\n',
  },
  {
    file: 'packages/relay/src/planted.ts',
    text: '/**\n * A long comment.\n *\n * PLANTED: begins anew.\n */\nexport const x = 1;\n',
  },
  {
    file: 'packages/relay/src/planted.test.ts',
    text: "test.each([1])('PLANTED: is told %s', () => undefined);\n",
  },
  {
    file: 'scripts/planted.test.ts',
    text: 'describe(`PLANTED: nobody pays`, () => undefined);\n',
  },
];

/** Similar wording that is plain English, or not a text that people read. */
export const harmlessWording = {
  'packages/relay/src/wording.ts': "/** Seconds elsewhere; of its kind, sold. */\nexport const message = 'nobody';\n",
};
