import { Menu } from '@mantine/core';
import { IconBell, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { accountPath, logoutPath, routes } from '#core/access/routes.ts';
import { useViewer } from '#web/api/viewer.ts';
import { chooseDensity, chooseTheme, type ThemeChoice, useDensity, useThemeChoice } from '#web/ui/appearance.ts';
import { useBackCloses } from '#web/ui/back-closes.ts';
import { useLetterShortcuts } from '#web/ui/shortcuts.ts';
import { AccountFace } from './account-face.tsx';
import classes from './account-menu.module.css';
import { openNoticeChoices, openShortcutSheet } from './open-dialog.ts';

const icon = { size: 16, stroke: 1.7 };

const themes: Record<ThemeChoice, string> = { light: 'Light', dark: 'Dark', system: 'System' };

export function AccountMenu() {
  const viewer = useViewer();
  const router = useRouter();
  const [opened, setOpened] = useState(false);
  const face = useRef<HTMLButtonElement>(null);
  // Its button replaced the pressed one. When it closes, the focus returns to what had it when it opened.
  useEffect(() => {
    face.current?.focus();
    setOpened(true);
  }, []);
  useBackCloses(opened, () => setOpened(false));
  return (
    <Menu opened={opened} onChange={setOpened} width={264} withinPortal={false}>
      <Menu.Target>
        <AccountFace ref={face} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.person ?? ''}>
          <span className={classes.name}>{viewer.name}</span>
          <span>{viewer.role ?? 'No role'}</span>
          <span>{viewer.email}</span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUserCircle {...icon} />} onClick={() => void router.navigate({ to: accountPath })}>
          {routes[accountPath].title}
        </Menu.Item>
        <Menu.Divider />
        <ThemeItems />
        <Menu.Divider />
        <ComfortItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconBell {...icon} />} onClick={openNoticeChoices}>
          Notification settings…
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void router.navigate({ to: logoutPath })}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeItems() {
  const choice = useThemeChoice();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup value={choice} onChange={(next) => chooseTheme(next as ThemeChoice)}>
        {(Object.keys(themes) as ThemeChoice[]).map((key) => (
          <Menu.RadioItem key={key} value={key}>
            {themes[key]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function ComfortItems() {
  const compact = useDensity() === 'compact';
  const [letters, changeLetters] = useLetterShortcuts();
  return (
    <>
      <Menu.CheckboxItem checked={compact} onChange={(on) => chooseDensity(on ? 'compact' : 'normal')}>
        Compact rows
      </Menu.CheckboxItem>
      <Menu.CheckboxItem checked={letters} onChange={changeLetters}>
        Single-letter shortcuts
      </Menu.CheckboxItem>
      <Menu.Item leftSection={<IconKeyboard {...icon} />} onClick={openShortcutSheet}>
        Show all shortcuts
      </Menu.Item>
    </>
  );
}
