import type { BrowserCommand, BrowserText, Control } from './browser-line.ts'
import { quoteText, quoteValue } from './browser-text.ts'

/** Writes a line so that `parseBrowserBlock` gives it back. */
export function formatBrowserLine(line: BrowserCommand): string {
  switch (line.kind) {
    case 'goto':
      return `goto ${formatAddress(line.address)}`
    case 'act':
      return [line.verb, formatControl(line.control), line.values.map(quoteValue).join(', ')].filter(Boolean).join(' ')
    case 'drag':
      return `drag ${formatControl(line.control)} to ${formatControl(line.to)}`
    case 'press':
      return ['press', ...(line.control ? [formatControl(line.control)] : []), line.key].join(' ')
    case 'dialog':
      return [line.accepts ? 'accept' : 'dismiss', 'dialog', ...(line.text ? [quoteValue(line.text)] : [])].join(' ')
    case 'history':
      return line.move
    case 'see':
      return `${line.isAbsent ? '!' : '-'} ${line.text}`
    default:
      return line satisfies never
  }
}

/** Writes how a control is found. */
function formatControl(control: Control): string {
  const { by, name, isExact, hasText, within } = control
  return [
    by === 'role' ? control.role : by,
    ...(name ? [quoteText(name)] : []),
    ...(isExact ? ['exactly'] : []),
    ...(hasText ? ['with', quoteText(hasText)] : []),
    ...(within ? ['in', formatControl(within)] : []),
  ].join(' ')
}

function formatAddress(address: BrowserText): string {
  const bare = address.map((part) => (typeof part === 'string' ? part : `{{${part.recall}}}`)).join('')
  const isPlain = address.every((part) => typeof part !== 'string' || !/["\\{}\s]|[^\x21-\x7e]/.test(part))
  return isPlain && bare !== '' ? bare : quoteText(address)
}
