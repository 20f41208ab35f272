import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Task } from '../../support/scripts/read-task.ts'
import type { ModelAction } from '../../support/tool-dialect.ts'
import { ways, type Acts, type Lie, type Way } from './lie.ts'
import { addNote, listNotes, model, report, word } from './model.ts'
import type { Scene } from './scene.ts'

/** A lie told in one of the ways. */
export interface LieScene {
  readonly lie: string
  readonly way: Way | 'no sandbox'
  readonly scene: Scene
}

/** The file of a program has `act` in place of all the rest. */
type Told = Lie | { readonly does: string; readonly act: unknown }

/**
 * Every lie of `test/liars/executor` in each way: by the real CLIs, in a sandbox or with their own tools off alone, and by a
 * program, in a sandbox and without.
 */
export async function lieScenes(): Promise<readonly LieScene[]> {
  const folder = fileURLToPath(new URL('../executor/', import.meta.url))
  const all = await Promise.all(
    readdirSync(folder).map(async (file, index) => {
      const { default: told }: { readonly default: Told } = await import(`${folder}${file}`)
      const lie = file.replace(/\.\w+$/, '')
      return 'act' in told ? programsOf(lie, told) : [...modelsOf(lie, told, index), ...playersOf(lie, told)]
    }),
  )
  return all.flat()
}

/** How a scene of a lie is made. */
interface Telling extends Pick<Scene, 'does'>, Partial<Pick<Scene, 'spec' | 'files' | 'script' | 'isAlone'>> {
  readonly as: 'claude' | 'codex'
  readonly sandbox: 'require' | 'off'
}

function scene(lie: string, way: LieScene['way'], { as, sandbox, ...told }: Telling): LieScene {
  const name = [lie, way.replace(/^(?:own|no) |`/g, '').replace('`', ''), as].join('-')
  const front = ['allow: ["Bash(node *)"]', 'executor: mdtest', `sandbox: ${sandbox}`]
  return { lie, way, scene: { name, kind: 'dishonest', as, front, ...told } }
}

function modelsOf(lie: string, { does, spec, files, shell, editor, run, cites }: Lie, index: number): LieScene[] {
  const by = (way: Way, as: 'claude' | 'codex', acts: Acts): LieScene => {
    const sandbox = (index % 2 === 0) === (as === 'claude') ? 'require' : 'off'
    return scene(lie, way, {
      does,
      as,
      sandbox,
      script: scriptOf(acts, cites),
      ...(spec && { spec }),
      ...(files && { files }),
    })
  }
  return [
    ...(['claude', 'codex'] as const).flatMap((as) => [by('own shell', as, shell), by('own editor', as, editor)]),
    // mdtest's tools are the same for both.
    by('`run`', index % 2 === 0 ? 'codex' : 'claude', run),
  ]
}

/** A program does all of it. */
function playersOf(lie: string, { does, spec, files, changesSources, shell, editor, run, cites }: Lie): LieScene[] {
  const acts = { 'lie.json': JSON.stringify({ lie, acts: [run, shell, editor], cites }) }
  const more = { does, as: 'claude', files: { ...files, ...acts }, ...(spec && { spec }) } as const // a literal name
  return [
    scene(lie, 'own process', { ...more, sandbox: 'require' }),
    scene(lie, 'no sandbox', { ...more, sandbox: 'off', isAlone: changesSources === true }),
  ]
}

function programsOf(lie: string, { does }: Pick<Lie, 'does'>): LieScene[] {
  const by = (way: Way, as: LieScene['way'] = way): LieScene => {
    const sandbox = as === 'no sandbox' ? 'off' : 'require'
    return scene(lie, as, { does, as: 'claude', sandbox, files: { 'lie.json': JSON.stringify({ lie, way }) } })
  }
  return [...ways.map((way) => by(way)), by('own process', 'no sandbox')]
}

function scriptOf(acts: Acts, [first, second]: Lie['cites']): NonNullable<Scene['script']> {
  return model(function* (task) {
    for (const act of acts[0]) yield placed(act, task)
    yield report(addNote, { evidence: first })
    for (const act of acts[1]) yield placed(act, task)
    yield report(listNotes, { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: second })) })
    return 'All steps passed.'
  })
}

/** With the folders that the prompt names. */
function placed(act: ModelAction, { logFile, scratchDir = '' }: Task): ModelAction {
  const evidenceDir = logFile.replace(/\.log\.md$/, '')
  const place = (text: string): string =>
    text.replace('{evidence}', () => evidenceDir).replace('{scratch}', () => scratchDir)
  switch (act.kind) {
    case 'command':
      return { ...act, command: act.command.replaceAll('{evidence}', () => word(evidenceDir)) }
    case 'write':
    case 'read':
      return { ...act, file: place(act.file) }
    default:
      return act
  }
}
