import { Button, CloseButton, FileButton, Group, Textarea } from '@mantine/core';
import { IconPhoto, IconPlayerStop, IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/page/messages.ts';
import styles from './playground.module.css';

interface ComposerProps {
  readonly question: string;
  readonly onQuestion: (question: string) => void;
  readonly fieldRef: Ref<HTMLTextAreaElement>;
  readonly isRunning: boolean;
  readonly canSend: boolean;
  readonly send: (question: string, pictures: readonly string[]) => void;
  readonly stop: () => void;
}

const maxImages = 4;
const maxImageBytes = 5 * 1024 * 1024;

/** Prompt input with images; Ctrl+Enter sends it. */
export function Composer(props: ComposerProps) {
  const { question, onQuestion, fieldRef, isRunning, canSend, send, stop } = props;
  const { t } = useTranslation();
  const { pictures, add, remove, clear } = useImages();
  const isReady = canSend && !isRunning && question.trim() !== '';
  const submit = () => {
    if (!isReady) return;
    send(question, pictures);
    onQuestion('');
    clear();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <div className={styles['composer']}>
      <div className={styles['box']}>
        {pictures.length > 0 && <Images pictures={pictures} onRemove={remove} />}
        <Textarea
          ref={fieldRef}
          variant="unstyled"
          aria-label={t('Message')}
          placeholder={t('Type a message. Ctrl+Enter to send.')}
          autosize
          minRows={2}
          maxRows={10}
          value={question}
          onChange={(event) => onQuestion(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group gap="xs" justify="space-between">
          <FileButton accept="image/*" multiple onChange={(files) => void add(files)}>
            {(button) => (
              <Button
                {...button}
                variant="subtle"
                color="gray"
                px="xs"
                leftSection={<IconPhoto size={16} aria-hidden />}
              >
                {t('Add images')}
              </Button>
            )}
          </FileButton>
          {isRunning ? (
            <Button color="red" variant="light" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={stop}>
              {t('Stop')}
            </Button>
          ) : (
            <Button leftSection={<IconSend size={16} aria-hidden />} disabled={!isReady} onClick={submit}>
              {t('Send')}
            </Button>
          )}
        </Group>
      </div>
    </div>
  );
}

interface ImagesProps {
  readonly pictures: readonly string[];
  readonly onRemove: (image: string) => void;
}

function Images({ pictures, onRemove }: ImagesProps) {
  const { t } = useTranslation();
  return (
    <ul className={styles['pictures']}>
      {pictures.map((image, index) => (
        <li key={image}>
          <img src={image} alt={t('Image {number}', { number: index + 1 })} />
          <CloseButton
            size="xs"
            aria-label={t('Remove image {number}', { number: index + 1 })}
            onClick={() => onRemove(image)}
          />
        </li>
      ))}
    </ul>
  );
}

function useImages() {
  const { t } = useTranslation();
  const [pictures, setPictures] = useState<readonly string[]>([]);
  const add = async (files: readonly File[]) => {
    const fitting = files.filter(({ size }) => size <= maxImageBytes);
    if (fitting.length < files.length) showMessage('warning', t('Images can be up to 5 MB'));
    const read = await Promise.all(fitting.map(asDataUrl));
    setPictures((before) => [...new Set([...before, ...read])].slice(0, maxImages));
  };
  return {
    pictures,
    add,
    remove: (image: string) => setPictures((before) => before.filter((one) => one !== image)),
    clear: () => setPictures([]),
  };
}

const asDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
