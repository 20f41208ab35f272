import { posix } from 'node:path'
import type { Report } from '../rules/spec-rules.ts'
import { blocksOf, type Block, type Place, type Spec } from '../spec.ts'

export function reportConflicts(block: Block, report: Report): void {
  if (block.attributes.skip === true) return
  const add = (place: Place, message: string): void => report('attribute-conflict', place, message)
  if (block.kind === 'file' && block.attributes.timeoutMs !== undefined) {
    add(block, '`timeout` has no meaning for a file that is written. Take it away.')
  }
  if (block.kind !== 'script') return
  reportPrompt(block, report)
  const { background, wait, stream, timeoutMs } = block.attributes
  const [fence] = block.expected
  if (stream !== undefined && !block.expected.some((expected) => expected.stream === 'output')) {
    add(block, '`stream` says what the `output` fence is compared with, and there is none. Add one, or take it away.')
  }
  if (background !== true) return
  if (block.role === 'verify') {
    add(block, 'A `background` block is not waited for, so it verifies nothing. Mark it `run`.')
  }
  if (fence !== undefined) {
    const message =
      'What a `background` block prints is not compared. Take the fence away, and look at it in a later block.'
    add({ line: fence.line - 1, column: block.column }, message)
  }
  if (timeoutMs !== undefined && wait === undefined) {
    const message =
      'The `timeout` of a `background` block limits its `wait`, and there is none. Add `wait=port:…` or `wait=file:…`.'
    add(block, message)
  }
}

/** A fence of a README that says `sh` and holds what somebody typed: bash would look for a program `$`. */
function reportPrompt({ code, codeLine, column }: Extract<Block, { kind: 'script' }>, report: Report): void {
  const lines = code.split('\n')
  const at = lines.findIndex((line) => line.trim() !== '')
  const [, command] = /^\s*\$ +(\S.*)/.exec(lines[at] ?? '') ?? []
  if (command === undefined) return
  const message = `\`$ \` is a prompt, and this block is a script. Call it \`console\`: what follows each command is then its expected output. Or begin the line with \`${command.slice(0, 40)}\`.`
  report('prompt-in-script', { line: codeLine + at, column }, message)
}

export function reportDuplicateFiles(blocks: readonly Block[], report: Report): void {
  const names = new Set<string>()
  for (const block of blocks) {
    const { file, skip } = block.attributes
    if (skip === true || file === undefined) continue
    const name = posix.normalize(file)
    if (names.has(name)) {
      const message = `\`${file}\` is written twice under this heading, so the first is never seen. Move one below a heading of its own.`
      report('duplicate-file', block, message)
    }
    names.add(name)
  }
}

/** Reports files where they would overwrite the user's own; once for a spec. */
export function reportFilesInProject({ frontMatter: { cwd }, scenarios }: Spec, report: Report): void {
  if (cwd === 'temp' || cwd === 'copy') return
  const first = scenarios.flatMap(blocksOf).find(({ kind, attributes }) => kind === 'file' && attributes.skip !== true)
  if (first === undefined) return
  const message =
    'This `file=` block would write into your project and could overwrite your files. In the front matter set `cwd: temp` (an empty folder) or `cwd: copy` (a copy of the project).'
  report('file-in-project', first, message)
}
