import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

const SERIF = "'Literata Variable', Georgia, serif"
const SANS = "'Hanken Grotesk Variable', system-ui, sans-serif"

const colors = {
  ink: shades('eff6f5 dceae9 bad6d5 92bdbe 6aa1a4 48858a 2f6a71 1f555c 16434a 0e3038'),
  gray: shades('f8f9f7 f0f2ef e4e8e4 d3d9d5 b2bbb7 7e8985 63706c 4a5653 303a38 18211f'),
  dark: shades('dbe2de c0cac6 9aa7a3 6f7d7a 3b494b 2b383a 1e292c 151e21 10181a 0a1012'),
  lamp: shades('fdf7ea faecce f3d89d eac06b dfa644 c88a26 a56d14 82540a 643f06 472c04'),
  moss: shades('f2f7ee e2edd9 c5dcb5 a3c58b 82ac65 658f47 4d7434 3d5e29 2f4920 203317'),
  red: shades('fdf2f0 fadfdb f3bbb4 e88f86 da675d c54a40 ad352c 8f2922 6e1f1a 4e1613'),
  dusk: shades('f3f4fa e4e6f4 c8cce8 a7add9 8890c6 6b74b1 545c98 434a7a 333859 23273e'),
}

/**
 * Filled ink is light in the dark scheme, where the kit would still put white on it; a destructive
 * button is red 6 with white in both schemes.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled') return resolved
  if (input.color === 'red') {
    return {
      ...resolved,
      background: 'var(--mantine-color-red-6)',
      hover: 'var(--mantine-color-red-7)',
      color: 'var(--mantine-color-white)',
    }
  }
  return { ...resolved, color: 'var(--app-on-primary)' }
}

export const theme = createTheme({
  colors,
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 3 },
  black: '#18211f',
  white: '#fefefc',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  defaultRadius: 'md',
  variantColorResolver,
  fontFamily: SANS,
  fontFamilyMonospace: 'ui-monospace, monospace',
  fontSizes: { xs: '12.5px', sm: '14px', md: '16px', lg: '18px', xl: '20px' },
  lineHeights: { xs: '17px', sm: '20px', md: '24px', lg: '28px', xl: '26px' },
  headings: {
    fontFamily: SERIF,
    fontWeight: '500',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '30px', lineHeight: '36px' },
      h2: { fontSize: '22px', lineHeight: '28px' },
      h3: { fontSize: '18px', lineHeight: '24px' },
    },
  },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '40px' },
  breakpoints: { lg: '80em' },
  shadows: {
    xs: '0 1px 2px rgba(14, 40, 44, 0.06)',
    sm: '0 1px 2px rgba(14, 40, 44, 0.06), 0 4px 14px rgba(14, 40, 44, 0.05)',
    md: '0 10px 28px rgba(14, 40, 44, 0.09)',
    lg: '0 24px 60px rgba(14, 40, 44, 0.16)',
    xl: '0 40px 90px rgba(14, 40, 44, 0.22)',
  },
  components: {
    Button: { defaultProps: { loaderProps: { type: 'oval' } } },
    Loader: { defaultProps: { type: 'oval', size: 24 } },
    // As the component's own `extend` would give it, without bringing the component to every page.
    Checkbox: { vars: () => ({ root: { '--checkbox-icon-color': 'var(--app-on-primary)' } }) },
    // Names of any script are typed into them.
    TextInput: { defaultProps: { dir: 'auto' } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Modal: {
      defaultProps: {
        centered: true,
        shadow: 'xl',
        radius: 'lg',
        size: 600,
        padding: 28,
        overlayProps: { color: '#0b1a1d', backgroundOpacity: 0.5, blur: 0 },
        transitionProps: { transition: 'fade', duration: 180 },
        closeButtonProps: { 'aria-label': 'Close' },
        // A second `header` would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 120 } } },
  },
})

/** The tokens that components use in place of raw shades; `light` and `dark` name the same ones. */
const VARIABLES: ReturnType<CSSVariablesResolver> = {
  variables: {
    '--app-serif': SERIF,
    '--app-sans': SANS,
    '--app-picked': 'color-mix(in srgb, var(--app-used-bg) 55%, var(--app-sheet))',
  },
  light: {
    '--app-backdrop': shade('gray', 1),
    '--app-panel': shade('gray', 0),
    '--app-sheet': '#fefefc',
    '--mantine-color-body': '#fefefc',
    '--app-hairline': shade('gray', 2),
    '--app-rule': shade('gray', 3),
    '--mantine-color-default-border': shade('gray', 5),
    '--mantine-color-default': '#fefefc',
    '--mantine-color-default-hover': shade('gray', 1),
    '--mantine-color-text': shade('gray', 9),
    '--app-soft': shade('gray', 7),
    '--mantine-color-dimmed': shade('gray', 6),
    '--mantine-color-placeholder': shade('gray', 6),
    '--app-used': shade('ink', 7),
    '--app-used-bg': shade('ink', 1),
    '--app-mark': '#cfe6e4',
    '--app-mark-line': shade('ink', 6),
    '--app-warn-text': shade('lamp', 7),
    '--app-warn-bg': shade('lamp', 0),
    '--app-warn-line': shade('lamp', 3),
    '--app-err-text': shade('red', 7),
    '--app-err-bg': shade('red', 0),
    '--app-err-line': shade('red', 3),
    '--app-info-text': shade('dusk', 7),
    '--app-info-bg': shade('dusk', 0),
    '--app-info-line': shade('dusk', 3),
    '--app-info-bar': shade('dusk', 5),
    '--app-ok-text': shade('moss', 7),
    '--app-ok-bg': shade('moss', 0),
    '--app-ok-line': shade('moss', 3),
    '--mantine-color-error': shade('red', 6),
    '--app-moon-dark': '#d5dcd8',
    '--app-moon-warn': shade('lamp', 4),
    '--app-moon-full': shade('ink', 7),
    '--app-night': '#0f2a30',
    '--app-on-primary': '#fefefc',
    '--app-focus': shade('ink', 6),
    '--app-hover': shade('gray', 1),
    '--mantine-color-anchor': shade('ink', 7),
  },
  dark: {
    '--app-backdrop': shade('dark', 8),
    '--app-panel': shade('dark', 7),
    '--app-sheet': '#1a2427',
    '--mantine-color-body': shade('dark', 6),
    '--app-hairline': shade('dark', 5),
    '--app-rule': shade('dark', 4),
    '--mantine-color-default-border': shade('dark', 3),
    '--mantine-color-default': '#1a2427',
    '--mantine-color-default-hover': '#223034',
    '--mantine-color-text': shade('dark', 0),
    '--app-soft': shade('dark', 1),
    '--mantine-color-dimmed': shade('dark', 2),
    '--mantine-color-placeholder': shade('dark', 2),
    '--app-used': shade('ink', 3),
    '--app-used-bg': '#1d3a3e',
    '--app-mark': '#23494e',
    '--app-mark-line': shade('ink', 3),
    '--app-warn-text': shade('lamp', 3),
    '--app-warn-bg': '#2b2415',
    '--app-warn-line': '#6a5120',
    '--app-err-text': shade('red', 3),
    '--app-err-bg': '#2e1c1b',
    '--app-err-line': '#7a3530',
    '--app-info-text': shade('dusk', 2),
    '--app-info-bg': '#20243a',
    '--app-info-line': '#4a5180',
    '--app-info-bar': shade('dusk', 3),
    '--app-ok-text': shade('moss', 2),
    '--app-ok-bg': '#1d2a1a',
    '--app-ok-line': '#435f33',
    '--mantine-color-error': shade('red', 3),
    '--app-moon-dark': '#33403f',
    '--app-moon-warn': shade('lamp', 3),
    '--app-moon-full': '#b9d8d6',
    '--app-night': '#0a1518',
    '--app-on-primary': shade('dark', 8),
    '--app-focus': shade('ink', 3),
    '--app-hover': '#223034',
    '--mantine-color-anchor': shade('ink', 3),
  },
}

export const cssVariables: CSSVariablesResolver = () => VARIABLES

function shade(color: keyof typeof colors, index: number): string {
  return colors[color][index] ?? ''
}

function shades(hexes: string): MantineColorsTuple {
  return hexes.split(' ').map((hex) => `#${hex}`) as unknown as MantineColorsTuple
}
