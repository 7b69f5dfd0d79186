/** Wording that docs/style.md replaces, in comments, test titles and console strings. */
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
  {
    file: 'packages/console/src/i18n/zh/later/planted.ts',
    text: "export const planted = {\n  'Requests under way': '进行中的请求', // PLANTED\n};\n",
  },
  {
    file: 'packages/console/src/i18n/zh/later/planted.ts',
    text: "export const planted = {\n  Nobody: '无人', // PLANTED\n};\n",
  },
];

/** Similar wording that is plain English, or text that is not shown to people. */
export const acceptedWording = {
  'packages/console/src/pages/log/wording.ts': "export const rows = { 'under way': 1, nobody: 2 };\n",
  'packages/relay/src/wording.ts': "/** Seconds elsewhere; of its kind, sold. */\nexport const message = 'nobody';\n",
};
