import { useBlocker } from '@tanstack/react-router';
import { translate } from '../i18n/translate.ts';
import { hasUnsavedWork, useUnsaved } from '../lib/page/unsaved.ts';
import { openConfirmation } from './confirm.tsx';

/**
 * Asks for confirmation before leaving a page with unsaved input, by navigation or by closing the tab. Navigation after
 * saving is not affected.
 */
export function useUnsavedWork(isUnsaved: boolean, isSaving: boolean): void {
  const isGuarded = isUnsaved && !isSaving;
  useUnsaved(isUnsaved);
  useBlocker({
    disabled: !isGuarded,
    enableBeforeUnload: isGuarded,
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await mayLeave()),
  });
}

/** Runs the action, after confirmation if unsaved input would be lost. */
export async function confirmLeave(go: () => void): Promise<void> {
  if (!hasUnsavedWork() || (await mayLeave())) go();
}

const mayLeave = (): Promise<boolean> =>
  new Promise((resolve) => {
    openConfirmation({
      title: translate('Leave without saving?'),
      text: translate('Your changes on this page are not saved and will be lost.'),
      cancel: translate('Stay on page'),
      confirm: translate('Leave page'),
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    });
  });
