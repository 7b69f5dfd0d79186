import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum(A1)', "'@sum(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['\tname', "'\tname"],
  ['\rname', '"\'\rname"'],
  ['\nname', '"\'\nname"'],
  ['＝1+1', "'＝1+1"],
  ['＠x', "'＠x"],
  [' =1', "' =1"],
  ['=HYPERLINK("http://evil","x")', '"\'=HYPERLINK(""http://evil"",""x"")"'],
  ['a=b', 'a=b'],
  ['', ''],
  [-5, '-5'],
  [0.25, '0.25'],
])('[A32.1] escapes %j as %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});
