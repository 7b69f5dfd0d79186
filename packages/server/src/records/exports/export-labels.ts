import { exportMessages } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';

/** Texts used only in files; texts shared with the console are in the contract. */
const fileLabels = {
  ...exportMessages,
  Tag: '标签',
  Code: '兑换码',
  'Remaining quota (USD)': '剩余额度（美元）',
  'Used quota (USD)': '已用额度（美元）',
  'Invited by': '邀请人',
  'Last used': '最近使用',
  'Created by': '创建者',
  'Redeemed by': '兑换者',
  'Status reason': '状态原因',
  'Test duration (ms)': '测试耗时（毫秒）',
  'Last failure': '最近失败',
  'Failure reason': '失败原因',
  Complete: '完整',
} as const;

type ExportLabel = keyof typeof fileLabels;

/** Translations for exported files. */
export interface ExportLanguage {
  readonly say: (words: ExportLabel) => string;
  /** Translates labels of the contract's tables. */
  readonly label: (text: string) => string;
}

export function exportLanguage(language: Language): ExportLanguage {
  const texts: Readonly<Record<string, string>> = language === 'zh' ? fileLabels : {};
  const read = (words: string) => texts[words] ?? words;
  return { say: read, label: read };
}
