import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from '../i18n/translate.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import styles from './frame.module.css';
import { Menu } from './menu.tsx';
import { PaletteButton, PaletteIcon } from './palette/palette-button.tsx';

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
      <AccountMenu />
    </header>
  );
}

function TopBar() {
  const { t } = useTranslation();
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
        <AccountMenu onChoose={close} />
      </Drawer>
    </header>
  );
}
