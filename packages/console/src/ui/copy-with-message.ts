import { translate } from '../i18n/translate.ts';
import { showMessage } from '../lib/page/messages.ts';

/** Copies text and confirms it. If the browser refuses, `fallback` receives the text for manual copying. */
export async function copyWithMessage(
  text: string,
  fallback?: (text: string) => void,
  message = translate('Copied'),
): Promise<void> {
  if (await copyText(text)) {
    showMessage('success', message);
    return;
  }
  fallback?.(text);
  showMessage('warning', translate('Unable to copy to the clipboard, please copy manually'));
}

/** Copies text, also over plain HTTP. Returns false if the browser allows neither method. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Without a secure context, browsers can still copy the selection. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'offscreen';
  // Inside an open dialog; otherwise its focus trap clears the selection.
  const parent = document.querySelector('[role="dialog"]') ?? document.body;
  const focused = document.activeElement;
  parent.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
