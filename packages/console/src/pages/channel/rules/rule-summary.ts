import {
  type ChannelRule,
  type ChannelRuleAction,
  type ChannelRuleCondition,
  tokenDialects,
  tokenEndpoints,
} from '@headgate/contract';
import type { Translation } from '../../../i18n/translate.ts';

const maxShownLength = 60;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
};

/** One sentence that says what a rule does. */
export function ruleSummary({ when, then }: ChannelRule, { t, label, language }: Translation): string {
  const list = (type: 'conjunction' | 'disjunction', parts: readonly string[]) =>
    new Intl.ListFormat(language, { type }).format(parts);
  const conditions = [
    ...(when.models.length > 0 ? [t('the model is {names}', { names: list('disjunction', when.models) })] : []),
    ...(when.dialects.length > 0
      ? [
          t('the client API is {names}', {
            names: list(
              'disjunction',
              when.dialects.map((name) => label(tokenDialects[name].label)),
            ),
          }),
        ]
      : []),
    ...(when.endpoints.length > 0
      ? [
          t('the endpoint is {names}', {
            names: list(
              'disjunction',
              when.endpoints.map((name) => label(tokenEndpoints[name].label)),
            ),
          }),
        ]
      : []),
    ...when.fields.map((field) => conditionText(field, t)),
  ];
  const actions = list(
    'conjunction',
    then.map((action) => actionText(action, t)),
  );
  return conditions.length === 0
    ? t('Always {actions}.', { actions })
    : t('If {conditions}: {actions}.', { conditions: list('conjunction', conditions), actions });
}

function conditionText(condition: ChannelRuleCondition, t: Translation['t']): string {
  const { path } = condition;
  switch (condition.is) {
    case 'equals':
      return t('{path} is {value}', { path, value: shown(condition.value) });
    case 'matches':
      return t('{path} matches {value}', { path, value: condition.pattern });
    case 'exists':
      return t('{path} is present', { path });
    case 'missing':
      return t('{path} is missing', { path });
  }
}

function actionText(action: ChannelRuleAction, t: Translation['t']): string {
  switch (action.do) {
    case 'set':
      return t('set {path} to {value}', { path: action.path, value: shown(action.value) });
    case 'default':
      return t('set {path} to {value} if it is missing', { path: action.path, value: shown(action.value) });
    case 'remove':
      return t('remove {path}', { path: action.path });
    case 'rename':
      return t('rename {path} to {to}', { path: action.path, to: action.to });
    case 'set_header':
      return t('set the header {header}', { header: action.header });
    case 'remove_header':
      return t('remove the header {header}', { header: action.header });
    case 'pass_header':
      return t("pass on the client's header {header}", { header: action.header });
    case 'status':
      return action.retryable
        ? t('retry status {status} on another channel', { status: action.status })
        : t('do not retry status {status}', { status: action.status });
    case 'reject':
      return t('reject the request: “{message}”', { message: action.message });
  }
}
