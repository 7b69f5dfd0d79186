export const tencentModels: readonly string[] = [
  'hunyuan-lite',
  'hunyuan-standard',
  'hunyuan-standard-256K',
  'hunyuan-pro',
  'hunyuan-vision',
  'hunyuan-embedding',
];
