import { foldDirectives } from '../blocks/create-block.ts'
import type { BlockContext } from '../blocks/create-block.ts'
import { executedLanguages } from '../blocks/languages.ts'
import type { DirectiveComment } from '../blocks/parse-directives.ts'
import type { Fence } from '../blocks/fence.ts'

/** Reports code that nobody would execute, unless a directive above it, or its heading, says `skip`. */
export function reportPassedOver(
  fence: Fence,
  comments: readonly DirectiveComment[],
  { report, isSkipped = false }: BlockContext,
): void {
  const hasSkip = foldDirectives({ env: {} }, comments, report).skip === true
  if (!hasSkip && !isSkipped) report('unknown-language', fence, messageOf(fence))
}

function messageOf({ language, container }: Fence): string {
  if (language === '') {
    return 'This looks like a transcript, and no agent acts here, so it would be passed over. Call it `console` to run it, or `text`.'
  }
  if (container !== undefined) {
    return `No agent acts here, and a block inside a ${container} is not executed. Move it out, call it \`text\`, or mark it \`skip\`.`
  }
  const shell = shells.includes(language) ? ' Scripts are run by bash: call it `sh` where that is right.' : ''
  return `\`${language}\` blocks cannot be run, and no agent acts here.${shell} To run it, write it to a file: add \`file=NAME\` here and \`cwd: temp\` to the front matter, and start the file in an \`sh\` block. To only show it, add \`skip\` or call it \`text\`. Languages that run: ${executedLanguages}.`
}

/** Shells that read some scripts otherwise than bash does. */
const shells: readonly string[] = ['zsh', 'ksh', 'dash', 'ash', 'fish']
