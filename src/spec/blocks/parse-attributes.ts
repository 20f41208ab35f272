import { didYouMean } from '../../system/text/did-you-mean.ts'
import { isInnerPath, durationForm, parseDuration, type Word } from '../front-matter/value-forms.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Block, BlockAttributes } from '../spec.ts'

type Value = string | undefined

type Reader = (value: Value) => Partial<BlockAttributes> | string

const readers: Readonly<Record<string, Reader>> = {
  exit: (value) =>
    value !== undefined && /^\d{1,3}$/.test(value) && Number(value) <= 255
      ? { exit: Number(value) }
      : 'a whole number from 0 to 255, as in `exit=2`',
  errexit: (value) => (value === 'off' ? { errexit: 'off' } : '`off`; a script stops at its first failure else'),
  timeout: (value) => {
    const timeoutMs = parseDuration(value ?? '')
    return timeoutMs === undefined ? durationForm : { timeoutMs }
  },
  cwd: (value) =>
    value !== undefined && isInnerPath(value) ? { cwd: value } : 'a path inside the working directory, as in `cwd=sub`',
  skip: (value) => (value === undefined ? { skip: true } : 'written alone, without a value'),
  stream: (value) =>
    value === 'stdout' || value === 'stderr' || value === 'both' ? { stream: value } : '`stdout`, `stderr` or `both`',
  background: (value) => (value === undefined ? { background: true } : 'written alone, without a value'),
  wait: (value) =>
    value !== undefined && isReadiness(value)
      ? { wait: value }
      : '`port:` and a number from 1 to 65535 or `file:` and a path, as in `wait=port:3000`',
  file: (value) =>
    value !== undefined && isInnerPath(value) && !/(?:^|[/\\])\.{0,2}$/.test(value)
      ? { file: value }
      : 'a path of a file inside the working directory, as in `file=config.json`',
}

const namesByKind: Readonly<Record<Block['kind'], readonly string[]>> = {
  script: ['exit', 'errexit', 'timeout', 'cwd', 'env', 'skip', 'stream', 'background', 'wait'],
  console: ['timeout', 'cwd', 'env', 'skip', 'stream'],
  module: ['timeout', 'cwd', 'env', 'skip'],
  browser: ['timeout', 'env', 'skip'],
  file: ['file', 'skip'],
}

export function parseAttributes(words: readonly Word[], kind: Block['kind'], report: Report): BlockAttributes {
  let attributes: BlockAttributes = { env: {} }
  const seen = new Set<string>()
  for (const word of words) {
    if (seen.has(word.name)) {
      report('duplicate-attribute', word, `\`${word.name}\` is given twice. Leave one of them.`)
      continue
    }
    seen.add(word.name)
    const reading = word.isBroken ? 'without a stray or missing `"`' : readAttribute(word, kind)
    if (reading === undefined) report('unknown-attribute', word, unknownMessage(word, kind))
    else if (typeof reading === 'string') {
      report('bad-attribute-value', word, `\`${word.name}\` must be ${reading}, got \`${word.raw}\`.`)
    } else {
      // Spread, not assigned: `__proto__` is a name like others.
      attributes = { ...attributes, ...reading, env: { ...attributes.env, ...reading.env } }
    }
  }
  return attributes
}

/** `undefined`: no such attribute. A text: what the value should have been. */
function readAttribute({ name, value }: Word, kind: Block['kind']): Partial<BlockAttributes> | string | undefined {
  const names = namesByKind[kind]
  if (name.startsWith('env.')) return names.includes('env') ? readVariable(name.slice(4), value) : undefined
  return names.includes(name) ? readers[name]?.(value) : undefined
}

function readVariable(name: string, value: Value): Partial<BlockAttributes> | string {
  if (!/^[A-Za-z_]\w*$/.test(name) || value === undefined) return 'a variable and its value, as in `env.NAME=value`'
  return { env: { [name]: value } }
}

function isReadiness(value: string): boolean {
  const [, port] = /^port:(\d{1,5})$/.exec(value) ?? []
  return port === undefined ? /^file:[^\0]+$/.test(value) : Number(port) >= 1 && Number(port) <= 65_535
}

function unknownMessage({ name, raw }: Word, kind: Block['kind']): string {
  const known = namesByKind[kind].map((item) => (item === 'env' ? '`env.NAME=…`' : `\`${item}\``)).join(', ')
  const what = kind === 'script' ? 'script' : `\`${kind}\``
  const hint = kind === 'console' && name === 'exit' ? ' Write the exit code as the last output line, `[2]`.' : ''
  return `\`${raw}\` is no attribute of a ${what} block.${didYouMean(name, namesByKind[kind])} Known: ${known}.${hint}`
}
