import { translate } from '../i18n/translate.ts';
import { CallFailure } from './failure.ts';
import { showMessage } from './messages.ts';
import { expireSession } from './session.ts';

/** What the specification says for these two, in its own Chinese; other languages get their words below. */
const busy = '错误：请求次数过多，请稍后再试！';
const broken = '错误：服务器内部错误，请联系管理员！';

/** Tells the person what went wrong: the one table from failures to messages. */
export function reportFailure(error: unknown): void {
  console.error(error);
  if (!(error instanceof CallFailure)) {
    showMessage('error', `错误：${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  const { kind, status, message } = error;
  if (kind === 'refused') showMessage('error', message);
  else if (status === 401) expireSession();
  else if (status === 429) showMessage('error', busy, translate('Too many requests, please try again later.'));
  else if (status === 500)
    showMessage('error', broken, translate('Internal server error, please contact the administrator.'));
  else if (status === 405) showMessage('info', translate('This site is a demo only and has no server'));
  else showMessage('error', `错误：${message}`);
}
