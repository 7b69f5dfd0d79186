import { type OptionSection, type OptionTab, optionSections } from '@headgate/contract';
import { NativeSelect } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { query } from '../../../lib/page/address.ts';
import { useIsPhone } from '../../../lib/page/phone.ts';
import { isTopicHidden } from '../../../lib/page/presets.ts';
import { topicsOf } from '../../../lib/page/setting-topics.ts';
import { useStatus } from '../../../lib/page/status.ts';
import styles from '../setting.module.css';

interface TopicNavProps {
  readonly tab: OptionTab;
  /** Undefined if all topics of the tab are shown. */
  readonly topic: OptionSection | undefined;
}

/** Topics of a tab, as links or, on phones, a select. The preset hides topics, except the open one. */
export function TopicNav({ tab, topic }: TopicNavProps) {
  const { t, label } = useTranslation();
  const { preset } = useStatus();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const shown = topicsOf(tab).filter((each) => each === topic || !isTopicHidden(preset, each));
  if (isPhone)
    return (
      <NativeSelect
        label={t('Topics')}
        value={topic ?? ''}
        data={[
          ...shown.map((each) => ({ value: each, label: label(optionSections[each].label) })),
          { value: '', label: t('All topics') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '/setting', search: query({ tab, topic: value || undefined }) })
        }
      />
    );
  return (
    <nav aria-label={t('Topics')} className={styles['topics']}>
      {[...shown, undefined].map((each) => (
        <Link
          key={each ?? ''}
          to="/setting"
          search={query({ tab, topic: each })}
          // The router would also highlight “All topics”, because its query is a subset of every topic's query.
          activeOptions={{ exact: true }}
          className={styles['topic'] ?? ''}
          aria-current={each === topic ? 'page' : undefined}
        >
          {each ? label(optionSections[each].label) : t('All topics')}
        </Link>
      ))}
    </nav>
  );
}
