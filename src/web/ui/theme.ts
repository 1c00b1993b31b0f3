// Mantine with our tokens: colors, sizes and icon button names. tokens.css has both color schemes' values.
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** One tuple for each name that Mantine's components use; the default grays fail AA as text. */
const gray: MantineColorsTuple = [
  '#f6f7f9',
  '#eff1f4',
  '#e1e4ea',
  '#d3d7df',
  '#868c9a',
  '#747b89',
  '#646b79',
  '#4d5461',
  '#343a45',
  '#15181e',
];
const dark: MantineColorsTuple = [
  '#eceef3',
  '#b0b6c3',
  '#8d95a4',
  '#8d95a4',
  '#282d37',
  '#20252e',
  '#1c2028',
  '#15181e',
  '#101318',
  '#0d0f13',
];
const accent: MantineColorsTuple = [
  '#eeeefc',
  '#dcdcfa',
  '#c4c4f7',
  '#a9abfa',
  '#a0a2fa',
  '#8a8cf5',
  '#4f4bd8',
  '#423ec0',
  '#3733a3',
  '#2c2985',
];
const danger: MantineColorsTuple = [
  '#fce9e9',
  '#f8d0d2',
  '#ffa3a7',
  '#ff7a80',
  '#e9505b',
  '#d63a45',
  '#c02631',
  '#a31c27',
  '#84151f',
  '#661018',
];

/** Mantine's drawing colors in both schemes, from the tokens. */
const schemeColors = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--neg)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--border)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-hover': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent-text)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'var(--accent-hover)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--accent-soft)',
  '--mantine-color-accent-light-color': 'var(--accent-text)',
  '--mantine-color-accent-outline': 'var(--accent)',
  '--mantine-color-accent-text': 'var(--accent-text)',
  '--mantine-color-danger-filled': 'var(--neg)',
  '--mantine-color-danger-filled-hover': 'var(--neg-hover)',
  '--mantine-color-danger-light': 'var(--neg-soft)',
  '--mantine-color-danger-light-hover': 'var(--neg-soft)',
  '--mantine-color-danger-light-color': 'var(--neg)',
  '--mantine-color-danger-text': 'var(--neg)',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-line-height': '1.4286' },
  light: schemeColors,
  dark: schemeColors,
});

const small = { defaultProps: { size: 'xs' } };
/**
 * Inside the page's content, where screen readers find it. From the field's edge: placed by its middle, a
 * list that isn't measured yet would reach over the edge of a phone and widen the page.
 */
const listPlace = { portalProps: { target: '#content' }, position: 'bottom-start' } as const;
/** The list scrolls itself: in the kit's scroll area, axe reports a region that no key reaches. */
const withList = {
  defaultProps: { size: 'xs', withScrollArea: false, comboboxProps: listPlace },
};
/**
 * Mantine's scroll lock injects a `<style>`, which the content security policy forbids; see `useScrollLock`.
 */
const dialog = { defaultProps: { lockScroll: false, radius: 12, transitionProps: { duration: 180 } } };
const close = { defaultProps: { 'aria-label': 'Close' } };

export const theme: MantineThemeOverride = createTheme({
  colors: { gray, dark, accent, danger },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: { fontWeight: '600' },
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    // White on the dark scheme's light indigo would fail AA.
    return input.variant === 'filled' ? { ...colors, color: 'var(--on-accent)' } : colors;
  },
  components: {
    Button: small,
    TextInput: small,
    PasswordInput: small,
    NumberInput: small,
    Textarea: small,
    Select: withList,
    MultiSelect: withList,
    Autocomplete: withList,
    DatePickerInput: small,
    FileInput: small,
    Checkbox: { defaultProps: { size: 'xs', radius: 4 } },
    Radio: small,
    Switch: { defaultProps: { size: 'xs', withThumbIndicator: false } },
    ActionIcon: { defaultProps: { size: 30, variant: 'subtle', color: 'gray' } },
    ModalRoot: dialog,
    DrawerRoot: dialog,
    ModalCloseButton: close,
    DrawerCloseButton: close,
    CloseButton: close,
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, radius: 6 } },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 10,
        transitionProps: { duration: 120 },
        position: 'bottom-end',
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { shadow: 'md', radius: 10, transitionProps: { duration: 120 } } },
  },
});
