import type { BrowserCommand, BrowserText, BrowserValue, Control } from './browser-line.ts'

/** Names of captured values that an action uses; what it expects of a page is not looked at. */
export function recallsIn(command: BrowserCommand): readonly string[] {
  return textsOf(command).flatMap((value) =>
    'variable' in value ? [] : value.flatMap((part) => (typeof part === 'string' ? [] : [part.recall])),
  )
}

function textsOf(command: BrowserCommand): readonly BrowserValue[] {
  switch (command.kind) {
    case 'goto':
      return [command.address]
    case 'act':
      return [...textsOfControl(command.control), ...command.values]
    case 'drag':
      return [...textsOfControl(command.control), ...textsOfControl(command.to)]
    case 'press':
      return command.control ? textsOfControl(command.control) : []
    case 'dialog':
      return command.text ? [command.text] : []
    case 'history':
    case 'see':
      return []
    default:
      return command satisfies never
  }
}

function textsOfControl({ name, hasText, within }: Control): readonly BrowserText[] {
  return [...(name ? [name] : []), ...(hasText ? [hasText] : []), ...(within ? textsOfControl(within) : [])]
}
