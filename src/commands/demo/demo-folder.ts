import { mkdtempSync, realpathSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeTemporary } from '../../system/files/write-file.ts'
import { ownFile } from '../../system/own-package.ts'

/** The same program, spec and script three times, each in a folder of its own. */
export type Scene = (typeof scenes)[number]

const scenes = ['works', 'forgets', 'lies'] as const // names, for a union

/** A temporary folder with all that is shown. */
export interface DemoFolder {
  /** Absolute path of the suite root. */
  readonly dir: string
  /** The text of the spec, as it is in the example. */
  readonly spec: string
  /** The line that the forgetful program lacks. */
  readonly savingLine: string
  remove(): void
}

const savingLine = 'store.write(notes.map((note, i) => (i === index ? { ...note, done: true } : note)))'

/**
 * Makes the folder from `examples/notes` of the package.
 * @param agent who carries out the specs in place of the script; the liar stays one
 */
export async function makeDemoFolder(agent: string | undefined): Promise<DemoFolder> {
  const ownFolder = dirname(ownFile('vitest-mdtest/package.json'))
  const example = join(ownFolder, 'examples/notes')
  const read = (name: string): Promise<string> => readFile(join(example, name), 'utf8')
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-demo-')))
  const dir = join(base, 'notes')
  const remove = (): void => removeTemporary(base)
  try {
    await mkdir(join(dir, 'node_modules'), { recursive: true })
    // The configuration imports the package.
    await symlink(ownFolder, join(dir, 'node_modules/vitest-mdtest'))
    for (const name of ['vitest.config.mjs', 'scripted-agent.mjs']) await cp(join(example, name), join(dir, name))
    const program = await read('notes.mjs')
    const store = await read('store.mjs')
    const spec = await read('specs/tick-off.test.md')
    const script = await read('specs/tick-off.script.json')
    for (const scene of scenes) {
      const keys = [`cwd: ${scene}`, ...(agent === undefined || scene === 'lies' ? [] : [`agent: ${agent}`])]
      const files = {
        'notes.mjs': scene === 'forgets' ? program.replace(savingLine, '') : program,
        'store.mjs': store,
        'tick-off.test.md': spec.replace('---\n', `---\n${keys.join('\n')}\n`),
        'tick-off.script.json': scene === 'lies' ? pretending(script) : script,
      }
      await mkdir(join(dir, scene))
      for (const [name, text] of Object.entries(files)) await writeFile(join(dir, scene, name), text)
    }
    return { dir, spec, savingLine, remove }
  } catch (error: unknown) {
    remove()
    throw error
  }
}

function pretending(script: string): string {
  const acts: Readonly<Record<string, object>> = JSON.parse(script)
  const lies = Object.entries(acts).map(([title, act]) => [title, { ...act, pretend: true }])
  return `${JSON.stringify(Object.fromEntries(lies), undefined, 2)}\n`
}
