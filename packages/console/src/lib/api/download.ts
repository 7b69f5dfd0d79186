/** Hands text to the browser as a file. */
export const downloadText = (fileName: string, text: string, type = 'text/plain'): void =>
  downloadBlob(fileName, new Blob([text], { type: `${type};charset=utf-8` }));

/** Hands a file to the browser, which asks where to, or puts it among the downloads. */
export function downloadBlob(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // Some browsers read it only after the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** What every file system takes: nothing that separates folders, no leading dot, no control characters. */
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
