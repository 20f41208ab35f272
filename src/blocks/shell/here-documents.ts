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
      // Merged output needs no look, because it is compared.
      const isLooked = result.status === 'done' && options.streams === 'separate'
      const end = isLooked ? await findWarning(code, result.stderr) : undefined
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

/** Finds what `eval` or a sourced file left open. The warning of another script is no concern of the block. */
async function findWarning(code: string, stderr: string): Promise<string | undefined> {
  const pattern = /^(.+): (?:eval: )?line \d+: warning: here-document at line \d+ delimited .* \(wanted `(.+)'\)$/gm
  const warnings = [...stderr.matchAll(pattern)]
  const isSourced = warnings.length > 0 && (await nodesOf(code)).some(sourcesFile)
  return warnings.find(([, script = '']) => isSourced || /^(?:bash|environment)$/.test(script))?.[2]
}

/** `.` counts only as the first word: `find . -name x` sources nothing. */
function sourcesFile(node: SyntaxNode): boolean {
  const words = node.type === 'Command' ? [node.name, ...node.args].map((word) => word?.text) : []
  return /^(?:(?:builtin|command) )*(?:source|\.) /.test(words.join(' '))
}
