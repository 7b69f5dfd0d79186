export const cohereModels: readonly string[] = [
  'command',
  'command-nightly',
  'command-light',
  'command-light-nightly',
  'command-r',
  'command-r-plus',
  'command-internet',
  'command-nightly-internet',
  'command-light-internet',
  'command-light-nightly-internet',
  'command-r-internet',
  'command-r-plus-internet',
];
