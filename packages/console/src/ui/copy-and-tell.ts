import { translate } from '../i18n/translate.ts';
import { copyText } from '../lib/page/copy.ts';
import { showMessage } from '../lib/page/messages.ts';

/** Copies and says so; when the browser refuses, `fallback` gets the text so that it can be copied by hand. */
export async function copyAndTell(
  text: string,
  fallback?: (text: string) => void,
  words = translate('Copied'),
): Promise<void> {
  if (await copyText(text)) {
    showMessage('success', words);
    return;
  }
  fallback?.(text);
  showMessage('warning', translate('Unable to copy to the clipboard, please copy manually'));
}
