import { byId } from './element.ts'

type Theme = 'light' | 'dark'
const key = 'mdtest-theme'

/** Takes the theme of the system until the reader chooses another, which is remembered. */
export function createThemeSwitch(): void {
  const button = byId('theme')
  const system = matchMedia('(prefers-color-scheme: dark)')
  let chosen = remembered()
  const show = (): void => {
    const theme = chosen ?? (system.matches ? 'dark' : 'light')
    if (chosen) document.documentElement.dataset['theme'] = chosen
    button.textContent = theme === 'dark' ? 'Light' : 'Dark'
  }
  system.addEventListener('change', show)
  button.addEventListener('click', () => {
    chosen = button.textContent === 'Light' ? 'light' : 'dark'
    remember(chosen)
    show()
  })
  show()
}

function remembered(): Theme | undefined {
  try {
    const theme = localStorage.getItem(key)
    return theme === 'light' || theme === 'dark' ? theme : undefined
  } catch {
    // Some browsers forbid it on disk.
    return undefined
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // It holds for this page then.
  }
}
