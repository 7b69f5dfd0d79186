import { translate } from '../i18n/translate.ts';
import { copyText } from '../lib/page/copy.ts';
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
