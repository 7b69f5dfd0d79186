/** Simplified Chinese for the prices page. */
export const prices = {
  'per million tokens': '每百万 token',
  'per image': '每张图片',
  'per million characters': '每百万字符',
  'per second of audio': '每秒音频',
  'per thousand searches': '每千次搜索',
  'per page': '每页',
} as const;
