import { Menu } from '@mantine/core';
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconRowInsertBottom,
  IconSun,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useViewer } from '#web/api/viewer.ts';
import { leave } from '#web/leave.ts';
import { chooseDensity, chooseTheme, type ThemeChoice, useDensity, useThemeChoice } from '#web/ui/appearance.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { useLetterShortcuts } from '#web/ui/shortcuts.ts';
import classes from './account-menu.module.css';
import { openShortcutSheet } from './open-dialog.ts';
import barClasses from './top-bar.module.css';

const icon = { size: 16, stroke: 1.7 };

const themes: Record<ThemeChoice, { readonly title: string; readonly icon: ReactNode }> = {
  light: { title: 'Light', icon: <IconSun {...icon} /> },
  dark: { title: 'Dark', icon: <IconMoon {...icon} /> },
  system: { title: 'As the system', icon: <IconDeviceDesktop {...icon} /> },
};

export function AccountMenu() {
  const viewer = useViewer();
  return (
    <Menu width={264}>
      <Menu.Target>
        <button type="button" className={barClasses.account} aria-label={`Account of ${viewer.name}`}>
          <Avatar name={viewer.name} size={30} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <p className={classes.name}>{viewer.name}</p>
          <p>{viewer.role ?? 'No role'}</p>
          <p>{viewer.email}</p>
        </div>
        <Menu.Divider />
        <ThemeItems />
        <Menu.Divider />
        <ComfortItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A check at the right of what is chosen; a reader hears the role's own state. */
const chosen = (on: boolean) => ({
  role: 'menuitemcheckbox',
  'aria-checked': on,
  rightSection: on ? <IconCheck {...icon} aria-hidden="true" /> : null,
  closeMenuOnClick: false,
});

function ThemeItems() {
  const choice = useThemeChoice();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      {(Object.keys(themes) as ThemeChoice[]).map((key) => (
        <Menu.Item
          key={key}
          leftSection={themes[key].icon}
          {...chosen(key === choice)}
          role="menuitemradio"
          onClick={() => chooseTheme(key)}
        >
          {themes[key].title}
        </Menu.Item>
      ))}
    </>
  );
}

function ComfortItems() {
  const compact = useDensity() === 'compact';
  const [letters, changeLetters] = useLetterShortcuts();
  return (
    <>
      <Menu.Item
        leftSection={<IconRowInsertBottom {...icon} />}
        {...chosen(compact)}
        onClick={() => chooseDensity(compact ? 'normal' : 'compact')}
      >
        Compact rows
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard {...icon} />} {...chosen(letters)} onClick={() => changeLetters(!letters)}>
        Single-letter shortcuts
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard {...icon} />} onClick={openShortcutSheet}>
        Show all shortcuts
      </Menu.Item>
    </>
  );
}
