import { splitCommas, type Token } from '@headgate/contract';
import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconEraser, IconMessage2Question } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { availableModelsQuery } from '../../lib/page/available-models.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { type PlaygroundDraft, playgroundDraft, setPlaygroundDraft } from '../../lib/page/playground-draft.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { chooseModel } from '../../ui/use-with/choose-model.ts';
import { chatRequest, hasValidNumbers, noParameters, type Parameters } from './chat-request.ts';
import { Composer } from './composer.tsx';
import styles from './playground.module.css';
import { type PlaygroundChoices, PlaygroundSettings } from './playground-settings.tsx';
import { ResponseView } from './response-view.tsx';
import { activeTokensQuery, modelSlots, previousExchanges, type Turn, usePlayground } from './use-playground.ts';

/** Maximum distance from the bottom at which the page still scrolls with new text. */
const nearPixels = 80;

const isAtEnd = (): boolean => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  return scrollHeight - clientHeight - scrollTop < nearPixels;
};

/** Scrolls with growing content, unless the user has scrolled up. */
function useAutoScroll(grown: readonly unknown[]): void {
  const isFollowing = useRef(true);
  const count = useRef(grown.length);
  useEffect(() => {
    const look = () => {
      isFollowing.current = isAtEnd();
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    // A new prompt always scrolls to its response.
    if (grown.length !== count.current) isFollowing.current = true;
    count.current = grown.length;
    if (isFollowing.current && grown.length > 0) window.scrollTo({ top: document.documentElement.scrollHeight });
  }, [grown]);
}

const suggestedQuestions: readonly TextKey[] = [
  'Explain what an API gateway does, in two sentences',
  'Write a haiku about a river',
  'List five test cases for a login form',
];

/** Introduction with suggested prompts. */
function EmptyConversation({ onChoose }: { readonly onChoose: (question: string) => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles['empty']}>
      <IconMessage2Question size={40} stroke={1.4} className={styles['emptyMark'] ?? ''} aria-hidden />
      <Title order={2}>{t('Send a message to a model')}</Title>
      <Text c="dimmed">{t('Try models with your own token. Responses are billed like any other request.')}</Text>
      <div className={styles['ideas']}>
        {suggestedQuestions.map((question) => (
          <Button key={question} variant="default" size="xs" radius="xl" onClick={() => onChoose(t(question))}>
            {t(question)}
          </Button>
        ))}
      </div>
    </div>
  );
}

export function PlaygroundPage() {
  const { t } = useTranslation();
  const tokens = useQuery(activeTokensQuery);
  const models = useQuery(availableModelsQuery);
  const playground = usePlayground();
  return (
    <>
      <Group justify="space-between" mb="md" mih={36}>
        <Title order={1}>{t('Playground')}</Title>
        {playground.turns.length > 0 && (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconEraser size={16} aria-hidden />}
            onClick={playground.clear}
          >
            {t('New conversation')}
          </Button>
        )}
      </Group>
      {tokens.isError && (
        <LoadFailed title={t('The list could not be loaded')} error={tokens.error} onRetry={tokens.refetch} />
      )}
      {tokens.isPending && <Skeleton height={320} />}
      {tokens.data?.length === 0 && <NoTokens />}
      {tokens.data && tokens.data.length > 0 && (
        <Bench tokens={tokens.data} available={models.data ?? []} playground={playground} />
      )}
    </>
  );
}

function NoTokens() {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" py="lg">
        <Text c="dimmed">{t('You have no usable token. Create one to use the playground.')}</Text>
        <Button component={Link} to="/token/add" variant="light">
          {t('Add token')}
        </Button>
      </Stack>
    </Paper>
  );
}

const modelsOf = (token: Token | undefined, available: readonly string[]): readonly string[] => {
  const allowed = splitCommas(token?.models ?? '');
  return allowed.length === 0 ? available : available.filter((model) => allowed.includes(model));
};

function useChoices(tokens: readonly Token[], available: readonly string[], draft: PlaygroundDraft | undefined) {
  // Links from a log include the model of the request.
  const { model: linked = '' } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const [chosen, setChoices] = useState<PlaygroundChoices>({
    tokenId: tokens[0]?.id,
    models: [linked],
    parameters: draft ?? noParameters,
  });
  const token = tokens.find(({ id }) => id === chosen.tokenId) ?? tokens[0];
  const offered = modelsOf(token, available);
  // A model that the token does not allow is replaced by an allowed one.
  const models = chosen.models.map((model) =>
    offered.includes(model) ? model : offered.length === 0 ? '' : chooseModel(offered),
  );
  return { choices: { ...chosen, models }, setChoices, token, offered };
}

/** Applies the draft that the page was opened with, once. */
function useDraft(): PlaygroundDraft | undefined {
  const [draft] = useState(playgroundDraft);
  useEffect(() => setPlaygroundDraft(undefined), []);
  return draft;
}

interface BenchProps {
  readonly tokens: readonly Token[];
  readonly available: readonly string[];
  readonly playground: ReturnType<typeof usePlayground>;
}

function Bench({ tokens, available, playground }: BenchProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const draft = useDraft();
  const { choices, setChoices, token, offered } = useChoices(tokens, available, draft);
  const { models, parameters } = choices;
  const [isUnfolded, setUnfolded] = useState(false);
  const [question, setQuestion] = useState(draft?.question ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const { turns, isRunning, ask, stop } = playground;
  useAutoScroll(turns);
  return (
    <div className={styles['bench']}>
      <aside aria-label={t('Settings')}>
        {isPhone && <SettingsButton models={models} isUnfolded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)} />}
        {(!isPhone || isUnfolded) && (
          <PlaygroundSettings
            tokens={tokens}
            offered={offered}
            choices={choices}
            change={(change) => {
              setChoices({ ...choices, ...change });
              // In a comparison, focuses the prompt as the next step.
              if ((change.models?.length ?? 0) > models.length) field.current?.focus();
            }}
          />
        )}
      </aside>
      <section className={styles['conversation']} aria-label={t('Conversation')}>
        {draft?.question === '' && turns.length === 0 && (
          <Alert mb="md">{t('The message of the request is not stored. Only the model was filled in.')}</Alert>
        )}
        {turns.length === 0 && (
          <EmptyConversation
            onChoose={(text) => {
              setQuestion(text);
              field.current?.focus();
            }}
          />
        )}
        <Turns turns={turns} parameters={parameters} />
        <Composer
          question={question}
          onQuestion={setQuestion}
          fieldRef={field}
          isRunning={isRunning}
          canSend={token !== undefined && models.every((model) => model !== '') && hasValidNumbers(parameters)}
          stop={stop}
          send={(text, pictures) => {
            setUnfolded(false);
            if (token) ask({ token, models, parameters, question: text, pictures });
          }}
        />
      </section>
    </div>
  );
}

interface SettingsButtonProps {
  readonly models: readonly string[];
  readonly isUnfolded: boolean;
  readonly onClick: () => void;
}

function SettingsButton({ models, isUnfolded, onClick }: SettingsButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      fullWidth
      variant="default"
      mb="sm"
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
      aria-expanded={isUnfolded}
      onClick={onClick}
    >
      {models.join(' · ') || t('Settings')}
    </Button>
  );
}

interface TurnsProps {
  readonly turns: readonly Turn[];
  readonly parameters: Parameters;
}

function Turns({ turns, parameters }: TurnsProps) {
  const { t } = useTranslation();
  return turns.map(({ id, question, pictures, answers }, index) => (
    <div key={id} className={styles['turn']}>
      <div className={styles['question']}>
        {question}
        {pictures.length > 0 && (
          <ul className={styles['pictures']}>
            {pictures.map((image, at) => (
              <li key={image}>
                <img src={image} alt={t('Image {number}', { number: at + 1 })} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={styles['answers']} data-two={answers.length > 1}>
        {answers.map((response, position) => (
          <ResponseView
            key={modelSlots[position]}
            answer={response}
            request={() =>
              chatRequest(
                response.model,
                parameters,
                previousExchanges(turns.slice(0, index + 1), position).map((exchange, at) =>
                  at === index ? { ...exchange, answer: undefined } : exchange,
                ),
              )
            }
          />
        ))}
      </div>
    </div>
  ));
}
