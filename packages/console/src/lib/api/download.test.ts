import { expect, test } from 'vitest';
import { safeFileName } from './download.ts';

test.each([
  ['spring sale', 'spring sale'],
  ['春节 2026', '春节 2026'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['a:b*c?"d"<e>|f', 'a_b_c_d_e_f'],
  ['.hidden.', 'hidden'],
  ['evil\u202Etxt.exe', 'evil_txt.exe'],
  ['line\nbreak', 'line_break'],
  ['...', 'codes'],
  ['  ', 'codes'],
])('turns %j into the file name %j', (name, file) => {
  expect(safeFileName(name, 'codes')).toBe(file);
});
