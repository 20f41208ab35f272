import { basename } from 'node:path'
import type { SyntaxNode } from 'unbash'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'
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
      const end = result.status === 'done' ? findWarning(code, result.stderr) : undefined
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

/** Finds what `eval` or a sourced file left open. The warning of the product's own bash is no concern of the block. */
function findWarning(code: string, stderr: string): string | undefined {
  const pattern = /^(.+): (?:eval: )?line \d+: warning: here-document at line \d+ delimited .* \(wanted `(.+)'\)$/gm
  return [...stderr.matchAll(pattern)].find(([, script = '']) => isOfBlock(script, code))?.[2]
}

/** Whether bash reads this script for the block. Functions of the block are the script `environment`. */
function isOfBlock(script: string, code: string): boolean {
  if (script === 'environment') return true
  if (script === 'bash') return /\b(?:eval|trap)\b|\bbash\b(?!\s+[\w./])/.test(code)
  const file = `(?:\\S*\\$[^\\s/]*|\\S*${quoteRegex(basename(script))})["']?(?=$|[\\s;&|)}])`
  return new RegExp(`(?:\\bsource|(?:^|[\\s;&({])\\.)\\s+(?:<\\(|${file})`, 'm').test(code)
}
