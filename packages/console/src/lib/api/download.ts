/** Saves text as a file. */
export const downloadText = (fileName: string, text: string, type = 'text/plain'): void =>
  downloadBlob(fileName, new Blob([text], { type: `${type};charset=utf-8` }));

/** Saves a blob as a file through the browser's download. */
export function downloadBlob(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // Some browsers read the URL only after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file name that is valid on every file system: no separators, leading dots or control characters. */
export function safeFileName(name: string, otherwise: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '_').trim();
  return withoutOuterDots(safe).trim() || otherwise;
}

function withoutOuterDots(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && name[start] === '.') start += 1;
  while (end > start && name[end - 1] === '.') end -= 1;
  return name.slice(start, end);
}
