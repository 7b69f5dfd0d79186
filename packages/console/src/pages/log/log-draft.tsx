import { logType } from '@headgate/contract';
import { useDebouncedCallback } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/page/messages.ts';
import type { LogFilterControl } from './log-filter-state.ts';
import { draftOf, type LogDraft, type LogFilters, parseDraft, writeFilters } from './log-filters.ts';

interface DraftState {
  /** Filters in the URL at the time the texts were read from it. */
  readonly address: string;
  /** Initial texts of the fields. */
  readonly shown: LogDraft;
  readonly draft: LogDraft;
  readonly wrong: readonly (keyof LogDraft)[];
}

interface LogDraftControl {
  readonly draft: LogDraft;
  /** True if a text is invalid. */
  readonly hasErrors: boolean;
  /** Error message of an invalid field. */
  errorIn(name: keyof LogDraft): string | undefined;
  /** Changes a text; it is applied after a debounce. */
  type(name: keyof LogDraft, text: string): void;
  /** Applies the texts with this value. */
  choose(name: keyof LogDraft, text: string): void;
  /** Applies the texts; a range overrides the time fields. */
  query(range?: Pick<LogFilters, 'start' | 'end'>): void;
}

const fieldErrors: Readonly<Partial<Record<keyof LogDraft, TextKey>>> = {
  start: 'Time format error',
  end: 'Time format error',
  channel: 'ID must be a number',
};

/** Filters from which the texts are derived. */
const addressOf = (filters: LogFilters): string =>
  JSON.stringify(writeFilters({ ...filters, type: logType.all, reason: '' }));

const typingMs = 500;

function startDraft(address: string, filters: LogFilters): DraftState {
  const shown = draftOf(filters, Math.floor(Date.now() / 1000));
  return { address, shown, draft: shown, wrong: [] };
}

const DraftContext = createContext<LogDraftControl | undefined>(undefined);

interface LogDraftProviderProps {
  readonly control: LogFilterControl;
  readonly children: ReactNode;
}

/** Keeps the texts outside of the page, so that a keystroke rerenders the fields and not the rows. */
export function LogDraftProvider({ control, children }: LogDraftProviderProps) {
  return <DraftContext value={useDraft(control)}>{children}</DraftContext>;
}

export function useLogDraft(): LogDraftControl {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error('useLogDraft is for parts of the log page');
  return draft;
}

/** Texts of the filter fields. They follow the URL, and are applied to it if they are valid. */
function useDraft({ filters, apply }: LogFilterControl): LogDraftControl {
  const { t } = useTranslation();
  const address = addressOf(filters);
  const [state, setState] = useState(() => startDraft(address, filters));
  if (state.address !== address) setState(startDraft(address, filters));
  const slipIn = (name: keyof LogDraft, wrong = state.wrong) => {
    const slip = wrong.includes(name) ? fieldErrors[name] : undefined;
    return slip && t(slip);
  };
  const applyTexts = (texts: LogDraft, range?: Pick<LogFilters, 'start' | 'end'>) => {
    typing.cancel();
    const { filters: read, wrong } = parseDraft(texts, state.shown, filters);
    const [first] = wrong;
    if (first) {
      setState({ ...state, draft: texts, wrong });
      showMessage('warning', slipIn(first, wrong));
      return;
    }
    const next = { ...read, ...range };
    setState(startDraft(addressOf(next), next));
    apply(next);
  };
  const typing = useDebouncedCallback((texts: LogDraft) => {
    const { filters: read, wrong } = parseDraft(texts, state.shown, filters);
    // Texts stay as typed, so that a trailing space is kept.
    setState((now) => ({ ...now, wrong, ...(wrong.length === 0 && { address: addressOf(read) }) }));
    if (wrong.length === 0) apply(read);
  }, typingMs);
  return {
    draft: state.draft,
    hasErrors: state.wrong.length > 0,
    errorIn: (name) => slipIn(name),
    type: (name, text) => {
      const draft = { ...state.draft, [name]: text };
      setState({ ...state, draft, wrong: state.wrong.filter((field) => field !== name) });
      typing(draft);
    },
    choose: (name, text) => applyTexts({ ...state.draft, [name]: text }),
    query: (range) => applyTexts(range ? { ...state.draft, start: '', end: '' } : state.draft, range),
  };
}
