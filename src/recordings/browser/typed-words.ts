import type { BrowserCommand, BrowserText, BrowserValue, Control } from '../../spec/browser/browser-line.ts'

/** Whether a line of the page only shows what one of the actions put there itself. */
export function isEcho(line: string, commands: readonly BrowserCommand[]): boolean {
  return commands.some((command) => command.kind === 'act' && isEchoOf(line, command))
}

function isEchoOf(line: string, { verb, control, values }: Extract<BrowserCommand, { kind: 'act' }>): boolean {
  const [, role = '', name = '', state = '', text = ''] =
    /^([\w-]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)(?:: "?(.*?)"?)?$/.exec(line) ?? []
  if (verb === 'fill' || verb === 'type') return fields.has(role) && values.some((value) => plain(value) === text)
  const isOwn = control.by !== 'role' || (control.role === role && name.includes(plain(control.name ?? [])))
  if (verb === 'check' || verb === 'uncheck') return isOwn && /^(?:checkbox|radio|switch)$/.test(role)
  if (verb === 'select')
    return role === 'option' && state.includes('[selected]') && values.some((value) => plain(value) === name)
  return false
}

const fields: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'])

function plain(value: BrowserValue | BrowserText): string {
  return 'variable' in value ? '' : value.map((part) => (typeof part === 'string' ? part : '')).join('')
}

/** Whether a control takes what nobody may read, by what it is called. */
export function isForSecrets(control: Control): boolean {
  return secretName.test(plain(control.name ?? []))
}

const secretName =
  /pass(?:word|wort|code|phrase)|kennwort|contraseña|mot de passe|\bsenha\b|\bp[iu][nk]\b|secret|token|api.?key|one.?time/i
