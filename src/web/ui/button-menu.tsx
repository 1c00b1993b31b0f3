import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useBackCloses } from './back-closes.ts';
import classes from './button-menu.module.css';
import { useOpenedOnceDrawn } from './opened-late.tsx';
import { Placed } from './placed.tsx';

type MenuChoice = {
  readonly label: string;
  readonly chosen?: boolean;
  /** One that is on or off by itself; the menu stays open for the next. */
  readonly checked?: boolean;
  readonly choose: () => void;
};

/** Separated by lines. */
export type MenuGroups = readonly (readonly MenuChoice[])[];

type Props = {
  /** The button's id. */
  readonly id: string;
  readonly at: { readonly current: HTMLButtonElement | null };
  readonly groups: MenuGroups;
  readonly opened: boolean;
  readonly returnFocus: boolean;
  readonly onClose: () => void;
};

/** The menu of a `MenuButton`. */
export function ButtonMenu({ id, at, groups, opened, returnFocus, onClose }: Props) {
  const shown = useOpenedOnceDrawn(opened);
  useBackCloses(opened, onClose);
  return (
    <Menu id={id} opened={shown} onClose={onClose} position="bottom-start" returnFocus={returnFocus}>
      <Menu.Target>
        <Placed at={at} />
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((choices, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a menu keep their order.
          <Fragment key={index}>
            {index > 0 && <Menu.Divider />}
            {choices.map(({ label, chosen, checked, choose }) => (
              <Menu.Item
                key={label}
                onClick={choose}
                aria-current={chosen || undefined}
                {...(checked === undefined ? {} : checkedItem(checked))}
                className={chosen ? classes.chosen : ''}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const checkedItem = (checked: boolean) => ({
  closeMenuOnClick: false,
  leftSection: <IconCheck size={14} stroke={2} visibility={checked ? 'visible' : 'hidden'} />,
  renderRoot: (props: object) => <button {...props} type="button" role="menuitemcheckbox" aria-checked={checked} />,
});
