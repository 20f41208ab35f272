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
      const end = isLooked ? findWarning(code, result.stderr) : undefined
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
  const { forEachChild, parse } = await import('unbash')
  const nodes = [parse(code) as SyntaxNode]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.type === 'HereDoc' && node.delimiter && !node.closing)
      return { message: neverEnded(node.delimiter.value), failedLine: code.slice(0, node.pos).split('\n').length }
    forEachChild(node, (child) => void nodes.push(child))
  }
  return undefined
}

/** Finds what `eval` or a sourced file left open. The warning of another script is no concern of the block. */
function findWarning(code: string, stderr: string): string | undefined {
  const pattern = /^(.+): (?:eval: )?line \d+: warning: here-document at line \d+ delimited .* \(wanted `(.+)'\)$/gm
  const isSourced = /\bsource\b|(?:^|[\s;&({])\.\s/.test(code)
  const own = [...stderr.matchAll(pattern)].find(
    ([, script = '']) => isSourced || /^(?:bash|environment)$/.test(script),
  )
  return own?.[2]
}
