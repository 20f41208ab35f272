import { basename } from 'node:path'
import type { SyntaxNode } from 'unbash'
import type { Shell } from '../../system/shell/open-shell.ts'

/** A shell that refuses a here-document without an end: bash would take the rest of the code as its text. */
export function refuseOpenHereDocuments(shell: Shell): Shell {
  return {
    ...shell,
    async run(code, options) {
      const open = await findOpenHereDocument(code)
      if (open) return { status: 'refused', ...open, stdout: '', stderr: '' }
      const result = await shell.run(code, options)
      // Merged output is all in `stdout`, and is compared.
      const end = result.status === 'done' ? await findWarning(code, result.stderr) : undefined
      return end === undefined ? result : { ...result, status: 'refused', message: neverEnded(end) }
    },
    startService: async (code, options) =>
      (await findOpenHereDocument(code))?.message ?? (await shell.startService(code, options)),
  }
}

const neverEnded = (end: string): string =>
  `The here-document is never ended, so it takes the rest of the code as its text. End it with a line \`${end}\`.`

async function findOpenHereDocument(code: string): Promise<{ message: string; failedLine: number } | undefined> {
  if (!code.includes('<<')) return undefined
  for (const node of await nodesOf(code))
    if (node.type === 'HereDoc' && node.delimiter && !node.closing)
      return { message: neverEnded(node.delimiter.value), failedLine: code.slice(0, node.pos).split('\n').length }
  return undefined
}

async function nodesOf(code: string): Promise<readonly SyntaxNode[]> {
  const { forEachChild, parse } = await import('unbash')
  const nodes = [parse(code) as SyntaxNode]
  for (const node of nodes) forEachChild(node, (child) => void nodes.push(child))
  return nodes
}

/** Finds what `eval` or a sourced file left open. The warning of the product's own bash is no concern of the block. */
async function findWarning(code: string, stderr: string): Promise<string | undefined> {
  const pattern = /^(.+): (?:eval: )?line \d+: warning: here-document at line \d+ delimited .* \(wanted `(.+)'\)$/gm
  const warnings = [...stderr.matchAll(pattern)]
  const nodes = warnings.length > 0 ? await nodesOf(code) : []
  const commands = nodes.flatMap((node) =>
    node.type === 'Command' ? [node.name, ...node.args].map((word) => word?.text).join(' ') : [],
  )
  return warnings.find(([, script = '']) => isOfBlock(basename(script), commands))?.[2]
}

const sources = /^(?:(?:builtin|command) )*(?:source|\.) /
const evaluates = /^(?:(?:builtin|command) )*(?:eval|trap) |\bbash(?! [\w./])/

/** Whether the script is code that the block's own bash read. Functions of the block are the script `environment`. */
function isOfBlock(script: string, commands: readonly string[]): boolean {
  if (script === 'environment') return true
  if (script === 'bash') return commands.some((command) => evaluates.test(command))
  const isStarted = (command: string): boolean =>
    command.includes(script) && command.split(' ')[0]?.replace(script, 'sh').endsWith('sh') === true
  return commands.some((command) => sources.test(command)) && !commands.some(isStarted)
}
