import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, type Ref, useEffect, useState } from 'react';
import type { List } from '../../lib/list/list.ts';
import styles from './list.module.css';

interface ListSearchProps<Row> {
  readonly list: List<Row>;
  readonly label: string;
  readonly searchRef: Ref<HTMLInputElement> | undefined;
}

/** Searches on Enter; clearing the field shows all rows again. */
export function ListSearch<Row>({ list, label, searchRef }: ListSearchProps<Row>) {
  const { keyword } = list.state;
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === keyword) list.refresh();
    else list.change({ keyword: text.trim() });
  };
  return (
    <search className={styles['search']}>
      <form onSubmit={submit}>
        <TextInput
          {...(searchRef && { ref: searchRef })}
          type="search"
          aria-label={label}
          placeholder={label}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={() => text.trim() === '' && keyword !== '' && list.change({ keyword: '' })}
        />
      </form>
    </search>
  );
}
