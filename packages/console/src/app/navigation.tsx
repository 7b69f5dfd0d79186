import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useWords } from '../i18n/translate.ts';
import { Brand } from './brand.tsx';
import styles from './frame.module.css';
import { Menu } from './menu.tsx';
import { PaletteButton, PaletteIcon } from './palette/palette-button.tsx';
import { Person } from './person.tsx';

/** A side bar; on a phone, a top bar with a drawer. */
export function Navigation({ isPhone }: { readonly isPhone: boolean }) {
  return isPhone ? <TopBar /> : <SideBar />;
}

function SideBar() {
  return (
    <header className={styles['sidebar']}>
      <Brand />
      <PaletteButton />
      <Menu />
      <Person />
    </header>
  );
}

function TopBar() {
  const { t } = useWords();
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <header className={styles['topbar']}>
      <Brand />
      <PaletteIcon />
      <Burger size="sm" opened={isOpen} onClick={toggle} aria-label={t('Menu')} />
      <Drawer
        opened={isOpen}
        onClose={close}
        position="right"
        size={280}
        title={t('Menu')}
        classNames={{ body: styles['drawer'] ?? '' }}
      >
        <PaletteButton onChoose={close} />
        <Menu onChoose={close} />
        <Person onChoose={close} />
      </Drawer>
    </header>
  );
}
