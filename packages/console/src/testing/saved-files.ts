import { onTestFinished, vi } from 'vitest';

export interface SavedFile {
  readonly name: string;
  /** Lines without the byte order mark. */
  lines(): Promise<string[]>;
}

/** Collects the files that the console saves until the test ends, because jsdom cannot download. */
export function collectSavedFiles(): readonly SavedFile[] {
  const files: SavedFile[] = [];
  const contents: Blob[] = [];
  const original = { createObjectURL: URL.createObjectURL, revokeObjectURL: URL.revokeObjectURL };
  const createObjectURL = (content: Blob) => `blob:${contents.push(content) - 1}`;
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} });
  onTestFinished(() => void Object.assign(URL, original));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const content = contents[Number(this.href.replace('blob:', ''))] as Blob;
    files.push({ name: this.download, lines: async () => linesOf(await textOf(content)) });
  });
  return files;
}

const linesOf = (text: string) => text.replace('\uFEFF', '').trimEnd().split(/\r?\n/);

/** jsdom blobs have no `text()`. */
const textOf = (content: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(content);
  });
